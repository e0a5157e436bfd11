package tracker

import "testing"

func TestColors(t *testing.T) {
	t.Parallel()
	for text, hex := range map[string]string{
		// hexadecimal, kept as it is where it has the strict form
		"#AAbbcc": "#AAbbcc", "#000000": "#000000", "#fff": "#ffffff", "#1a2": "#11aa22", "#1a2f": "#11aa22", "#11223344": "#112233",
		"rgb(1, 2, 3)": "#010203", "rgb(255,255,255)": "#ffffff", "RGB( 0 , 128 , 0 )": "#008000", "rgb(0 128 0)": "#008000",
		"rgb(300, -5, 0)": "#ff0000", "rgb(100%, 50%, 0%)": "#ff8000", "rgb(12.4, 12.5, 12.6)": "#0c0d0d",
		"rgba(1, 2, 3, 0.5)": "#010203", "rgba(1, 2, 3, 50%)": "#010203", "rgba(1, 2, 3)": "#010203", "rgb(1 2 3 / 50%)": "#010203", "rgb(1,2,3,.5)": "#010203",
		"hsl(0, 100%, 50%)": "#ff0000", "hsl(120, 100%, 50%)": "#00ff00", "hsl(240, 100%, 50%)": "#0000ff", "hsl(60, 100%, 50%)": "#ffff00",
		"hsl(-120, 100%, 50%)": "#0000ff", "hsl(480, 100%, 50%)": "#00ff00", "hsl(210, 50%, 40%)": "#336699", "hsl(0, 0%, 100%)": "#ffffff",
		"hsl(120deg 100% 25%)": "#008000", "hsla(120, 100%, 25%, 0.3)": "#008000", "hsl(10, 200%, 300%)": "#ffffff",
	} {
		if got := HexColor(&text); got == nil || *got != hex {
			t.Errorf("HexColor(%q) = %v, want %s", text, show(got), hex)
		}
		if !IsColor(text) {
			t.Errorf("IsColor(%q) is false", text)
		}
	}
	for _, text := range []string{
		"", "red", "transparent", "inherit", "currentColor", "112233", "#", "#12", "#12345", "#1234567", "#gggggg", " #112233", "#112233 ", "#112233\n",
		"rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(a,b,c)", "rgb(1,2,3", "rgb 1,2,3", "rgb(1,2,3) x", "rgb(,1,2,3)", "rgb(1,2,3,)", "rgb(1,,2,3)", "rgb(1,2,3,x)",
		"rgb(NaN,0,0)", "rgb(Inf,0,0)", "rgb(0x10,0,0)", "rgb(1_0,0,0)", "hsl(0,1,0.5)", "hsl(0,100%,50)", "hsl(x,100%,50%)", "hsl(0 100% 50%,)",
		"hwb(0 0% 0%)", "url(x)", "rgb(1,2,3);x",
	} {
		if IsColor(text) {
			t.Errorf("IsColor(%q) is true", text)
		}
		if got := HexColor(&text); got != nil {
			t.Errorf("HexColor(%q) = %s", text, *got)
		}
	}
	if HexColor(nil) != nil {
		t.Error("no colour has a hexadecimal form")
	}
}

func show(s *string) string {
	if s == nil {
		return "nil"
	}
	return *s
}
