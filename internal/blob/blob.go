// Package blob keeps the contents of files: on disk, or in a bucket of any service that speaks S3.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"

	"milepost/internal/tracker"
)

// Store keeps contents under keys of the form folder/name. A content never changes.
type Store interface {
	// Write keeps what r gives. Once it has returned, the content survives a crash; where it fails,
	// nothing is left of it.
	Write(ctx context.Context, key string, r io.Reader) error
	// Open reads a content of the size; ctx must live as long as it is read.
	Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error)
	// List goes through all that is in the folder, also through what a Write left that was cut short.
	List(ctx context.Context, folder string) iter.Seq2[Object, error]
	// Remove deletes; what is not there is no error.
	Remove(ctx context.Context, o Object) error
}

// An Object is something that takes up room in a Store.
type Object struct {
	Key     string
	Partial bool   // a Write has not been finished
	upload  string // how S3 calls an unfinished one
}

// ErrNotFound says that there is no content under the key.
var ErrNotFound = errors.New("there is no such content")

// Open opens the store at the address: s3://bucket?region=…&endpoint=…, or a directory, which is
// made if it is not there.
func Open(ctx context.Context, address string) (Store, error) {
	scheme, _, isURL := strings.Cut(address, "://")
	switch {
	case !isURL:
		return openDisk(address)
	case scheme == "s3":
		u, err := url.Parse(address)
		if err != nil {
			return nil, errors.New("the address of the bucket cannot be read")
		}
		return openBucket(ctx, u)
	default:
		return nil, fmt.Errorf("files cannot be kept at %s://: use s3://bucket or a directory", scheme)
	}
}

// busy is an error that says "try again later" to the client and the cause to the log.
func busy(message string, cause error) error {
	return fmt.Errorf("%w: %w", &tracker.Error{Code: tracker.Busy, Message: message}, cause)
}
