// Command milepost is a self-hosted work-tracking server.
package main

import (
	"os"

	"milepost/internal/cli"
)

// version is set by the build.
var version = "dev"

func main() { os.Exit(cli.Main(version, os.Args[1:], os.Stdout, os.Stderr)) }
