package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

const (
	// partSize is how much of an upload is in memory; S3 takes no smaller parts.
	partSize = 5 << 20
	// abortTimeout bounds the clearing up after an upload that failed.
	abortTimeout = 30 * time.Second
)

var parts = sync.Pool{New: func() any { return new([partSize]byte) }}

// Write sends parts one after the other, so that one of them is in memory. It is our own because the
// library's reads whatever has less than 16 MiB into memory as a whole.
func (b *bucket) Write(ctx context.Context, key string, r io.Reader) error {
	part := parts.Get().(*[partSize]byte)
	defer parts.Put(part)
	n, err := io.ReadFull(r, part[:])
	if n < partSize && ended(err) {
		_, err := b.client.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String(b.name), Key: aws.String(key), Body: bytes.NewReader(part[:n])})
		return away(err)
	}
	if err != nil {
		return err
	}
	started, err := b.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: aws.String(b.name), Key: aws.String(key), ChecksumAlgorithm: b.checksum,
	})
	if err != nil {
		return away(err)
	}
	u := upload{bucket: b, key: key, id: started.UploadId}
	if err := u.send(ctx, part, r); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
		defer cancel()
		return errors.Join(err, b.Remove(ctx, Object{Key: key, Partial: true, upload: *u.id}))
	}
	return nil
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// upload is a content on its way to the bucket, in parts.
type upload struct {
	bucket *bucket
	key    string
	id     *string
	done   []types.CompletedPart
}

// send sends the first part, which has been read, and the others, and puts them together.
func (u *upload) send(ctx context.Context, part *[partSize]byte, r io.Reader) error {
	for n, err := partSize, error(nil); n > 0; n, err = io.ReadFull(r, part[:]) {
		if err != nil && !ended(err) {
			return err
		}
		if err := u.sendPart(ctx, part[:n]); err != nil {
			return err
		}
	}
	_, err := u.bucket.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: aws.String(u.bucket.name), Key: aws.String(u.key), UploadId: u.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: u.done},
	})
	return away(err)
}

func (u *upload) sendPart(ctx context.Context, content []byte) error {
	number := aws.Int32(int32(len(u.done) + 1))
	sent, err := u.bucket.client.UploadPart(ctx, &s3.UploadPartInput{
		Bucket: aws.String(u.bucket.name), Key: aws.String(u.key), UploadId: u.id, PartNumber: number, Body: bytes.NewReader(content),
		ChecksumAlgorithm: u.bucket.checksum,
	})
	if err != nil {
		return away(err)
	}
	u.done = append(u.done, types.CompletedPart{PartNumber: number, ETag: sent.ETag, ChecksumCRC32: sent.ChecksumCRC32})
	return nil
}
