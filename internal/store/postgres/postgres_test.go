package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestRefuseOld(t *testing.T) {
	t.Parallel()
	for version, ok := range map[int]bool{90624: false, 140019: false, 150000: true, 180001: true} {
		err := refuseOld(version)
		if (err == nil) != ok {
			t.Errorf("version %d: %v", version, err)
		}
	}
	if err := refuseOld(140019); err.Error() != "PostgreSQL 14 is too old: Milepost needs version 15 or newer" {
		t.Error(err)
	}
}

func TestAway(t *testing.T) {
	t.Parallel()
	code := func(c string) error { return fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: c}) }
	for name, c := range map[string]struct {
		err  error
		says string // part of the message; "" when the error is no matter of reach
	}{
		"disk full":           {code("53100"), "full"},
		"shut down":           {code("57P01"), "cannot be reached"},
		"starting up":         {code("57P03"), "cannot be reached"},
		"too many clients":    {code("53300"), "cannot be reached"},
		"deadlock":            {code("40P01"), "busy"},
		"lock time-out":       {code("55P03"), "busy"},
		"statement time-out":  {code("57014"), "busy"},
		"connection lost":     {io.ErrUnexpectedEOF, "cannot be reached"},
		"connection closed":   {pgconn.ErrConnClosed, "cannot be reached"},
		"deadline":            {context.DeadlineExceeded, "cannot be reached"},
		"unique violation":    {code("23505"), ""},
		"syntax error":        {code("42601"), ""},
		"the client went off": {context.Canceled, ""},
		"anything else":       {errors.New("x"), ""},
		"nothing":             {nil, ""},
	} {
		message, away := (&Engine{}).Away(c.err)
		if away != (c.says != "") || !strings.Contains(message, c.says) {
			t.Errorf("%s: %q, %v", name, message, away)
		}
	}
}

func TestBadAddressKeepsThePassword(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), "postgres://user:hunter2@host:notaport/db")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
	_, err = Open(t.Context(), "postgres://user:hunter2@127.0.0.1:1/db")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
}
