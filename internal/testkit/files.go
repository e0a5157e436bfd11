package testkit

import (
	"fmt"
	"os"
	"sync/atomic"
)

// S3Variable names the environment variable with the address of a bucket that tests may fill; see
// scripts/with-s3.sh. Without it, contents of files are kept on disk alone.
const S3Variable = "MILEPOST_TEST_S3"

var folders atomic.Int64

// NewFolder is the name of a folder that no other test uses.
func NewFolder() string { return fmt.Sprintf("test-%d-%d", os.Getpid(), folders.Add(1)) }
