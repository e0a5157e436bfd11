package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"milepost/internal/tracker"
)

// A File is one that a client has sent in a multipart form.
type File struct {
	Name        string // as the client called it, without a path
	ContentType string
	Ref         any // by which the Sink knows it
}

// A Sink takes the files of an upload as they arrive; nothing holds them in memory as a whole.
type Sink interface {
	// Keep stores what r gives and returns the name it has in the Sink.
	Keep(ctx context.Context, by tracker.Actor, f File, r io.Reader) (ref any, err error)
	// Release forgets a file of a request that has failed after all; ctx outlives the request.
	Release(ctx context.Context, by tracker.Actor, ref any)
	// MaxForm is how many bytes the whole form may have.
	MaxForm() int64
}

// Bounds of a multipart form, beside the number of bytes that the route allows.
const (
	maxParts    = 64
	maxPartText = 64 << 10
)

// A fileField is the []File of a params struct, tagged file:"file0|file,file1,file2": one file
// under each name, "|" between names for the same. Where it is required, the first must be there.
type fileField struct {
	index    []int
	slots    [][]string
	required bool
	doc      string
}

func newFileField(sf reflect.StructField, names string) *fileField {
	if sf.Type != reflect.TypeFor[[]File]() {
		panic("rest: field " + sf.Name + " must be a []rest.File")
	}
	f := &fileField{index: sf.Index, required: sf.Tag.Get("is") == "required", doc: sf.Tag.Get("doc")}
	for _, slot := range strings.Split(names, ",") {
		f.slots = append(f.slots, strings.Split(slot, "|"))
	}
	return f
}

// slot is the number of the slot that the part's name stands for, or -1.
func (f *fileField) slot(name string) int {
	return slices.IndexFunc(f.slots, func(names []string) bool { return slices.Contains(names, name) })
}

// An upload is the reading of one multipart form. After the first mistake no file is kept any
// more, but the rest of the form is still judged.
type upload struct {
	form  *form
	keep  func(f File, r io.Reader) (ref any, err error)
	in    reflect.Value
	bad   reasons
	seen  map[string]bool // part names, for files the first of their slot
	files []File
}

// serveUpload decodes the form, runs the operation, and releases what was kept unless it succeeds.
func (r Route) serveUpload(w http.ResponseWriter, req *http.Request, by tracker.Actor) (answer any, err error) {
	ctx := req.Context()
	most := r.sink.MaxForm()
	if req.ContentLength > most {
		return nil, errTooLarge(most)
	}
	ctx, cancel := context.WithTimeout(ctx, maxTransfer)
	defer cancel()
	req.Body = http.MaxBytesReader(w, pace(w, req.Body), most)
	u := upload{form: r.form, in: reflect.New(r.in).Elem(), seen: map[string]bool{}}
	u.keep = func(f File, content io.Reader) (any, error) { return r.sink.Keep(ctx, by, f, content) }
	done := false
	defer func() { // also when the operation panics
		for _, f := range u.files {
			if !done {
				r.sink.Release(context.WithoutCancel(ctx), by, f.Ref)
			}
		}
	}()
	if err := u.read(req); err != nil {
		return nil, err
	}
	u.in.FieldByIndex(r.form.files.index).Set(reflect.ValueOf(u.files))
	answer, err = r.invoke(ctx, by, u.in)
	done = err == nil
	return answer, err
}

func (u *upload) read(req *http.Request) error {
	u.bad = u.form.decodeURL(req, u.in, nil)
	mr, err := req.MultipartReader()
	if err != nil {
		u.bad.add("body", "must be multipart/form-data")
		return u.bad.err()
	}
	for n := 0; ; n++ {
		part, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return bodyError(err)
		}
		if n == maxParts {
			u.bad.add("body", "must hold fewer parts")
			return u.bad.err()
		}
		if err := u.readPart(part); err != nil {
			return err
		}
	}
	for _, p := range u.form.parts {
		if p.required && !u.seen[p.name] {
			u.bad.add(p.name, missingKey)
		}
	}
	if f := u.form.files; f.required && !u.seen[f.slots[0][0]] {
		u.bad.add(f.slots[0][0], missingKey)
	}
	return u.bad.err()
}

func (u *upload) readPart(part *multipart.Part) error {
	name := part.FormName()
	text := slices.IndexFunc(u.form.parts, func(f *field) bool { return f.name == name })
	slot := u.form.files.slot(name)
	key := name
	if slot >= 0 {
		key = u.form.files.slots[slot][0]
	}
	switch {
	case name == "":
		u.bad.add("body", "holds a part without a name")
	case text < 0 && slot < 0:
		u.bad.add(strings.ToValidUTF8(name, "\uFFFD"), disallowedKey)
	case u.seen[key]:
		u.bad.add(name, duplicateKey)
	case text >= 0:
		u.seen[key] = true
		return u.readText(u.form.parts[text], part)
	default:
		u.seen[key] = true
		return u.readFile(name, part)
	}
	return nil
}

func (u *upload) readText(f *field, part io.Reader) error {
	content, err := io.ReadAll(io.LimitReader(part, maxPartText+1))
	if err != nil {
		return bodyError(err)
	}
	if len(content) > maxPartText {
		u.bad.add(f.name, "must not be longer than 64 KiB")
	} else if reason := f.setTexts(u.in.FieldByIndex(f.index), []string{string(content)}); reason != nil {
		u.bad.add(f.name, reason)
	}
	return nil
}

func (u *upload) readFile(name string, part *multipart.Part) error {
	f := File{Name: fileName(part), ContentType: "application/octet-stream"}
	switch {
	case f.Name == "":
		u.bad.add(name, "must be a file with a name")
	case utf8.RuneCountInString(f.Name) > tracker.MaxFileName:
		u.bad.add(name, fmt.Sprintf("must have a name of at most %d characters", tracker.MaxFileName))
	}
	if u.bad != nil {
		return nil
	}
	if t, params, err := mime.ParseMediaType(part.Header.Get("Content-Type")); err == nil {
		f.ContentType = mime.FormatMediaType(t, params)
	}
	content := &blamedReader{from: part}
	ref, err := u.keep(f, content)
	if err == nil {
		f.Ref = ref
		u.files = append(u.files, f)
	}
	if content.err != nil {
		return bodyError(content.err)
	}
	return err
}

// blamedReader remembers how reading failed, to tell the client's failure from the Sink's.
type blamedReader struct {
	from io.Reader
	err  error
}

func (r *blamedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// fileName is the filename of the part without the path that some clients put before it, and
// without characters that do not print.
func fileName(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	name := strings.ToValidUTF8(params["filename"], "\uFFFD")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if strings.Trim(name, ".") == "" {
		return ""
	}
	return name
}
