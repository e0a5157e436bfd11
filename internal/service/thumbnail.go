package service

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // for image.Decode
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // for image.Decode
)

const (
	thumbnailWidth, thumbnailHeight = 360, 240
	// maxPixels bounds a picture that is unpacked: a small file can hold a picture that fills the memory.
	maxPixels = 16 << 20
	// roughly is how many times larger than the thumbnail a picture is after the first, fast step.
	roughly = 4
	quality = 80
)

// canShrink reports whether what starts so is a picture that may be unpacked.
func canShrink(start []byte) bool {
	c, _, err := image.DecodeConfig(bytes.NewReader(start))
	return err == nil && c.Width > 0 && c.Height > 0 && c.Width <= maxPixels/c.Height
}

// shrink makes the thumbnail of a picture that canShrink has seen: not larger than the picture, of
// the same shape.
func shrink(r io.Reader) (thumbnail []byte, contentType string, err error) {
	defer func() {
		if p := recover(); p != nil { // the libraries that unpack pictures of strangers are complex
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	picture, _, err := image.Decode(r)
	if err != nil {
		return nil, "", err
	}
	size := picture.Bounds().Size()
	if size.X == 0 || size.Y == 0 || size.X > maxPixels/size.Y {
		return nil, "", errors.New("the picture is not of the size that it said")
	}
	if rough := fit(size, roughly*thumbnailWidth, roughly*thumbnailHeight); rough != size {
		picture = scale(draw.ApproxBiLinear, picture, rough)
	}
	picture = scale(draw.CatmullRom, picture, fit(size, thumbnailWidth, thumbnailHeight))
	var out bytes.Buffer
	if o, ok := picture.(*image.RGBA); ok && o.Opaque() {
		err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality})
		return out.Bytes(), "image/jpeg", err
	}
	err = png.Encode(&out, picture)
	return out.Bytes(), "image/png", err
}

func scale(how draw.Scaler, picture image.Image, to image.Point) image.Image {
	out := image.NewRGBA(image.Rectangle{Max: to})
	how.Scale(out, out.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	return out
}

// fit is the size that something has when it is made small enough, if it is too large.
func fit(size image.Point, width, height int) image.Point {
	switch {
	case size.X <= width && size.Y <= height:
		return size
	case size.X*height > size.Y*width:
		return image.Pt(width, max(1, size.Y*width/size.X))
	default:
		return image.Pt(max(1, size.X*height/size.Y), height)
	}
}
