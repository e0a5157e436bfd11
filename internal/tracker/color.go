package tracker

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	hexColor   = regexp.MustCompile(`^#[a-fA-F0-9]{6}$`)
	anyHex     = regexp.MustCompile(`^#([a-fA-F0-9]{3,4}|[a-fA-F0-9]{6}|[a-fA-F0-9]{8})$`)
	funcColor  = regexp.MustCompile(`^(?i)(rgba?|hsla?)\(([^()]*)\)$`)
	colorSplit = regexp.MustCompile(`\s*[,/]\s*|\s+`)
	decimal    = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)(?i:e[+-]?\d+)?$`)
)

// IsColor reports whether s is a colour that the lenient versions accept:
// hexadecimal, rgb(), rgba(), hsl() or hsla().
func IsColor(s string) bool {
	_, ok := rgbOf(s)
	return ok
}

// HexColor shows a stored colour as the strict versions do: # and six hex digits, alpha
// dropped; nil when there is none.
func HexColor(s *string) *string {
	if s == nil || hexColor.MatchString(*s) {
		return s
	}
	rgb, ok := rgbOf(*s)
	if !ok {
		return nil
	}
	hex := fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
	return &hex
}

func rgbOf(s string) ([3]uint8, bool) {
	if anyHex.MatchString(s) {
		return rgbOfHex(s[1:]), true
	}
	m := funcColor.FindStringSubmatch(s)
	if m == nil {
		return [3]uint8{}, false
	}
	parts := colorSplit.Split(strings.TrimSpace(m[2]), -1)
	if len(parts) != 3 && len(parts) != 4 {
		return [3]uint8{}, false
	}
	if len(parts) == 4 {
		if _, ok := scaled(parts[3], 1); !ok {
			return [3]uint8{}, false
		}
	}
	if strings.HasPrefix(strings.ToLower(m[1]), "rgb") {
		return rgbOfParts(parts)
	}
	return rgbOfHSL(parts)
}

func rgbOfHex(digits string) [3]uint8 {
	if len(digits) < 6 {
		digits = strings.Join([]string{digits[0:1], digits[0:1], digits[1:2], digits[1:2], digits[2:3], digits[2:3]}, "")
	}
	n, _ := strconv.ParseUint(digits[:6], 16, 32) // the pattern allows hex digits only
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}
}

func rgbOfParts(parts []string) (rgb [3]uint8, ok bool) {
	for i := range 3 {
		v, ok := scaled(parts[i], 255)
		if !ok {
			return rgb, false
		}
		rgb[i] = uint8(math.Round(min(max(v, 0), 255)))
	}
	return rgb, true
}

// scaled reads a number, or a percentage of full.
func scaled(s string, full float64) (float64, bool) {
	digits, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || !decimal.MatchString(digits) {
		return 0, false
	}
	if percent {
		v = v / 100 * full
	}
	return v, true
}

func rgbOfHSL(parts []string) (rgb [3]uint8, ok bool) {
	h, okH := scaled(strings.TrimSuffix(strings.ToLower(parts[0]), "deg"), 360)
	s, okS := scaled(parts[1], 1)
	l, okL := scaled(parts[2], 1)
	if !okH || !okS || !okL || !strings.HasSuffix(parts[1], "%") || !strings.HasSuffix(parts[2], "%") {
		return rgb, false
	}
	s, l = min(max(s, 0), 1), min(max(l, 0), 1)
	h = math.Mod(math.Mod(h, 360)+360, 360)
	// The formula of CSS Color 4: each channel is offset on the hue circle.
	a := s * min(l, 1-l)
	for i, n := range []float64{0, 8, 4} {
		k := math.Mod(n+h/30, 12)
		rgb[i] = uint8(math.Round(255 * (l - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return rgb, true
}
