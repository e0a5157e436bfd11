package service

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

const (
	anyContent = "application/octet-stream"
	// maxContentType bounds a type that a client declares.
	maxContentType = 128
)

var (
	// signed are types that are told for sure by how a content starts.
	signed = []string{
		"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "application/pdf", "application/zip", "application/x-gzip",
		"application/x-rar-compressed", "video/webm", "audio/mpeg", "audio/wave", "font/woff", "font/woff2",
	}
	// general are types that a content may seem to have and yet be something more special.
	general = []string{
		anyContent, "text/plain", "text/html", "text/xml", "application/zip", "application/x-gzip", "application/ogg", "video/mp4",
		"application/vnd.ms-fontobject",
	}
)

// contentType is the type of a content that starts so: what the client declares, unless the content
// tells that this is not true.
func contentType(declared string, start []byte) string {
	sniffed := http.DetectContentType(start)
	was, params, err := mime.ParseMediaType(declared)
	if err != nil || was == anyContent || !strings.Contains(was, "/") || len(declared) > maxContentType {
		return sniffed
	}
	is, _, _ := strings.Cut(sniffed, ";")
	declared = mime.FormatMediaType(was, params)
	switch {
	case was == is:
		return declared
	case slices.Contains(signed, was), !slices.Contains(general, is):
		return sniffed
	case is == anyContent && strings.HasPrefix(was, "text/"):
		return sniffed
	default:
		return declared
	}
}
