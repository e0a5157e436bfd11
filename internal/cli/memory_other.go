//go:build !linux

package cli

// forgetProgram is for Linux only.
func forgetProgram() {}
