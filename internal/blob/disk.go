package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// disk keeps each content in a file of its own. A content is written under another name and
// renamed when it is whole; file and folder are synced, so that it survives a power cut.
type disk struct{ dir string }

// partial is what the name of a file ends with while it is written.
const partial = ".part"

// listed is how many names are read from a folder at once.
const listed = 1000

func openDisk(dir string) (*disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the directory of files cannot be made: %w", err)
	}
	return &disk{dir: dir}, nil
}

func (d *disk) path(key string) string { return filepath.Join(d.dir, filepath.FromSlash(key)) }

func (d *disk) Write(_ context.Context, key string, r io.Reader) (err error) {
	path := d.path(key)
	if err := d.makeFolder(filepath.Dir(path)); err != nil {
		return explain(err)
	}
	f, err := os.OpenFile(path+partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return explain(err)
	}
	if _, err = io.Copy(f, r); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(path+partial, path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		return errors.Join(explain(err), remove(path+partial), remove(path))
	}
	return nil
}

func (d *disk) makeFolder(path string) error {
	err := os.Mkdir(path, 0o700)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist): // the whole directory is gone
		err = os.MkdirAll(path, 0o700)
	}
	if err != nil {
		return err
	}
	return syncFolder(d.dir)
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func (d *disk) Open(_ context.Context, key string, _ int64) (io.ReadSeekCloser, error) {
	f, err := os.Open(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err != nil {
		return nil, explain(err)
	}
	return f, nil
}

func (d *disk) List(ctx context.Context, folder string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		f, err := os.Open(d.path(folder))
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Object{}, explain(err))
			return
		}
		defer func() { _ = f.Close() }() // it was only read
		for {
			names, err := f.Readdirnames(listed)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(Object{}, err)
				return
			}
			for _, name := range names {
				key, isPartial := strings.CutSuffix(folder+"/"+name, partial)
				if !yield(Object{Key: key, Partial: isPartial}, nil) {
					return
				}
			}
		}
	}
}

func (d *disk) Remove(_ context.Context, o Object) error {
	path := d.path(o.Key)
	if o.Partial {
		path += partial
	}
	return explain(remove(path))
}

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// explain makes an answer of what a disk can run out of. EFBIG is the bound that an operator may
// set for a process.
func explain(err error) error {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return busy("The disk of the server is full; nothing was saved.", err)
		}
	}
	return err
}
