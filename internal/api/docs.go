package api

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"time"

	"milepost/internal/api/rest"
	"milepost/internal/httpd"
)

// docsFiles is the reference page: it reads the OpenAPI documents of this server and nothing else.
//
//go:embed docs
var docsFiles embed.FS

const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// docsTypes does not ask the system's table, which may know .js as plain text.
var docsTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// handleDocs mounts the reference page of the versions. No page lives at / yet, so that leads to it.
func handleDocs(mux *http.ServeMux, versions []rest.API) error {
	entries, err := docsFiles.ReadDir("docs")
	if err != nil {
		return err
	}
	for _, e := range entries {
		content, err := docsFiles.ReadFile("docs/" + e.Name())
		if err != nil {
			return err
		}
		address := "/docs/" + e.Name()
		if e.Name() == "page.html" {
			address = "/docs"
			if content, err = renderPage(content, versions); err != nil {
				return err
			}
		}
		mux.Handle("GET "+address, asset(address, docsTypes[path.Ext(e.Name())], content))
	}
	toDocs := http.RedirectHandler("/docs", http.StatusFound)
	mux.Handle("GET /{$}", toDocs)
	mux.Handle("GET /docs/{$}", toDocs)
	return nil
}

// renderPage fills in which versions there are.
func renderPage(page []byte, versions []rest.API) ([]byte, error) {
	t, err := template.New("docs").Parse(string(page))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, versions)
	return out.Bytes(), err
}

func asset(route, contentType string, content []byte) http.Handler {
	etag := fmt.Sprintf(`"%x"`, sha256.Sum256(content))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpd.Note(r.Context()).Route = route
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", docsPolicy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
}
