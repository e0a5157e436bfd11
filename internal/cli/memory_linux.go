package cli

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// forgetProgram lets go of the pages of the program's own file, most of which only the start needed: the
// system reads those that are used again. What fails leaves them where they are.
func forgetProgram() {
	program, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		line = strings.TrimSpace(line)
		var from, to uintptr
		var access string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access)
		if err != nil || !strings.HasSuffix(line, program) || strings.Contains(access, "w") {
			continue
		}
		start := *(*unsafe.Pointer)(unsafe.Pointer(&from)) // an address that Go's collector does not know
		_ = syscall.Madvise(unsafe.Slice((*byte)(start), to-from), syscall.MADV_DONTNEED)
	}
}
