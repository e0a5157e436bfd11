package rest

import (
	"net/http"
	"reflect"

	"github.com/getkin/kin-openapi/openapi3"
)

// Blob is an answer that is not JSON: the content of something that never changes under its
// address, so that a client may keep it for good.
type Blob struct {
	ContentType string
	Content     []byte
}

var blobType = reflect.TypeFor[Blob]()

func (r *Route) writeBlob(w http.ResponseWriter, req *http.Request, b Blob) {
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	r.writeBytes(w, req, b.ContentType, b.Content)
}

// blobContent is how the document shows a Blob.
func blobContent() openapi3.Content { return openapi3.Content{"*/*": &openapi3.MediaType{}} }
