package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	gcaws "gocloud.dev/aws"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"
)

// bucket keeps contents in a bucket of a service that speaks S3.
type bucket struct {
	*blob.Bucket
	client   *s3.Client
	name     string
	checksum types.ChecksumAlgorithm // of parts; none where the service does not take any
}

const (
	// answerTimeout bounds how long the service may take to begin its answer.
	answerTimeout = 30 * time.Second
	// openTimeout bounds the look at the bucket when it is opened.
	openTimeout = 15 * time.Second
)

const pathStyle = "use_path_style"

// openBucket takes the parameters of gocloud.dev/aws, and use_path_style, which is true for an
// endpoint unless it is said otherwise: most services that are not Amazon's need it. Keys come from where
// Amazon's tools look for them, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
func openBucket(ctx context.Context, u *url.URL) (*bucket, error) {
	if u.Host == "" || u.User != nil || u.Path != "" && u.Path != "/" {
		return nil, errors.New("the address of the bucket must have the form s3://bucket?region=…&endpoint=…")
	}
	params := u.Query()
	byPath := params.Has("endpoint")
	if params.Has(pathStyle) {
		var err error
		if byPath, err = strconv.ParseBool(params.Get(pathStyle)); err != nil {
			return nil, fmt.Errorf("%s must be true or false", pathStyle)
		}
		params.Del(pathStyle)
	}
	config, err := gcaws.V2ConfigFromURLParams(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("the address of the bucket: %w", err)
	}
	config.HTTPClient = awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.ResponseHeaderTimeout = answerTimeout
	})
	client := s3.NewFromConfig(config, func(o *s3.Options) {
		o.UsePathStyle = byPath
		o.DisableLogOutputChecksumValidationSkipped = true // services that are not Amazon's send no checksum
	})
	inner, err := s3blob.OpenBucket(ctx, client, u.Host, nil)
	if err != nil {
		return nil, err
	}
	b := &bucket{Bucket: inner, client: client, name: u.Host, checksum: types.ChecksumAlgorithmCrc32}
	if config.RequestChecksumCalculation == aws.RequestChecksumCalculationWhenRequired {
		b.checksum = ""
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if ok, err := b.IsAccessible(ctx); err != nil || !ok {
		return nil, fmt.Errorf("the bucket %s cannot be used: %w", u.Host, errors.Join(err, errors.New("it must exist and the keys must open it")))
	}
	return b, nil
}

func (b *bucket) Open(ctx context.Context, key string, size int64) (io.ReadSeekCloser, error) {
	switch there, err := b.Exists(ctx, key); {
	case err != nil:
		return nil, away(err)
	case !there:
		return nil, fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	return &ranged{ctx: ctx, bucket: b, key: key, size: size}, nil
}

func (b *bucket) List(ctx context.Context, folder string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		objects := b.Bucket.List(&blob.ListOptions{Prefix: folder + "/"})
		for {
			o, err := objects.Next(ctx)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				yield(Object{}, away(err))
				return
			}
			if !yield(Object{Key: o.Key}, nil) {
				return
			}
		}
		b.listPartial(ctx, folder, yield)
	}
}

// listPartial lists uploads in parts that nobody finished, which are in no other list.
func (b *bucket) listPartial(ctx context.Context, folder string, yield func(Object, error) bool) {
	pages := s3.NewListMultipartUploadsPaginator(b.client, &s3.ListMultipartUploadsInput{
		Bucket: aws.String(b.name), Prefix: aws.String(folder + "/"),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			yield(Object{}, away(err))
			return
		}
		for _, u := range page.Uploads {
			if !yield(Object{Key: aws.ToString(u.Key), Partial: true, upload: aws.ToString(u.UploadId)}, nil) {
				return
			}
		}
	}
}

func (b *bucket) Remove(ctx context.Context, o Object) error {
	var err error
	if o.Partial {
		_, err = b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
			Bucket: aws.String(b.name), Key: aws.String(o.Key), UploadId: aws.String(o.upload),
		})
	} else if err = b.Delete(ctx, o.Key); gcerrors.Code(err) == gcerrors.NotFound {
		err = nil
	}
	return away(err)
}

func away(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return busy("The storage of files cannot be reached right now.", err)
}

// ranged reads a content from wherever it is sought to: a request for the rest of it is made at the
// first byte that is wanted.
type ranged struct {
	ctx    context.Context
	bucket *bucket
	key    string
	size   int64
	at     int64
	body   *blob.Reader
}

func (r *ranged) Read(p []byte) (int, error) {
	if r.at >= r.size {
		return 0, io.EOF
	}
	if r.body == nil {
		var err error
		if r.body, err = r.bucket.NewRangeReader(r.ctx, r.key, r.at, -1, nil); err != nil {
			return 0, away(err)
		}
	}
	n, err := r.body.Read(p)
	r.at += int64(n)
	return n, err
}

func (r *ranged) Seek(offset int64, whence int) (int64, error) {
	to := map[int]int64{io.SeekStart: 0, io.SeekCurrent: r.at, io.SeekEnd: r.size}[whence] + offset
	if to < 0 {
		return r.at, errors.New("sought before the start")
	}
	if to == r.at {
		return to, nil
	}
	r.at = to
	return to, r.Close()
}

func (r *ranged) Close() error {
	if r.body == nil {
		return nil
	}
	err := r.body.Close()
	r.body = nil
	return err
}
