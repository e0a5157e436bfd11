package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

type tokenCommands struct {
	Create tokenCreate `cmd:"" help:"Create a token and print it, alone, on standard output."`
	List   tokenList   `cmd:"" help:"List the tokens of a workspace."`
	Revoke tokenRevoke `cmd:"" help:"Revoke a token, named by its id or by its text."`
}

type tokenCreate struct {
	where
	Workspace string `help:"Slug of the workspace; the first one by default." placeholder:"SLUG"`
	Member    string `help:"Mention name of the member; the owner by default." placeholder:"MENTION"`
	Name      string `help:"What the token is for." default:"Command line"`
	ReadOnly  bool   `help:"The token may only read."`
}

func (c tokenCreate) Run(e env) error {
	return c.in(e, c.Workspace, func(svc *service.Service, by tracker.Actor) error {
		member, err := svc.MemberNamed(e.ctx, by, strings.TrimPrefix(c.Member, "@"))
		if errors.Is(err, tracker.ErrNotFound) {
			return fmt.Errorf("there is no member %q", c.Member)
		}
		if err != nil {
			return err
		}
		if member.Disabled {
			return fmt.Errorf("the member %q is disabled", member.MentionName)
		}
		_, text, err := svc.CreateToken(e.ctx, by, member.ID, service.NewToken{Name: c.Name, ReadOnly: c.ReadOnly})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.out, text)
		return err
	})
}

type tokenList struct {
	where
	Workspace string `help:"Slug of the workspace; the first one by default." placeholder:"SLUG"`
}

func (c tokenList) Run(e env) error {
	return c.in(e, c.Workspace, func(svc *service.Service, by tracker.Actor) error {
		list, err := svc.AllTokens(e.ctx, by)
		if err != nil {
			return err
		}
		members, err := svc.Members(e.ctx, by)
		if err != nil {
			return err
		}
		mentions := map[tracker.UUID]string{}
		for _, m := range members {
			mentions[m.ID] = m.MentionName
		}
		w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tMEMBER\tNAME\tCREATED\tLAST USED\tEXPIRES\tREVOKED")
		for _, t := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, mentions[t.Member], t.Name, t.CreatedAt, moment(t.LastUsedAt), moment(t.ExpiresAt), moment(t.RevokedAt))
		}
		return w.Flush()
	})
}

func moment(t *tracker.Time) string {
	if t == nil {
		return "-"
	}
	return t.String()
}

type tokenRevoke struct {
	where
	Token string `arg:"" help:"The id of the token, or the token itself."`
}

func (c tokenRevoke) Run(e env) error {
	svc, done, err := c.open(e, service.Files{})
	if err != nil {
		return err
	}
	defer done()
	workspace, id, err := svc.FindToken(e.ctx, c.Token)
	if errors.Is(err, tracker.ErrNotFound) {
		return errors.New("there is no such token")
	}
	if err != nil {
		return err
	}
	if err := svc.RevokeToken(e.ctx, operator(workspace), id); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "token %s revoked\n", id)
	return err
}

type workspaceCommand struct {
	Create workspaceCreate `cmd:"" help:"Create a workspace with its owner."`
}

type workspaceCreate struct {
	where
	Name         string `required:"" help:"Name of the workspace."`
	Slug         string `required:"" help:"Name in addresses: a-z, 0-9 and '-'."`
	OwnerName    string `required:"" help:"Name of the owner."`
	OwnerEmail   string `required:"" help:"E-mail address of the owner."`
	OwnerMention string `help:"Mention name of the owner; by default made from the name."`
}

func (c workspaceCreate) Run(e env) error {
	if c.OwnerMention == "" {
		c.OwnerMention = tracker.MentionOf(c.OwnerName)
	}
	if err := checkFlags(
		flag{"name", c.Name, name}, flag{"slug", c.Slug, slug}, flag{"owner-name", c.OwnerName, name},
		flag{"owner-email", c.OwnerEmail, email}, flag{"owner-mention", c.OwnerMention, mention},
	); err != nil {
		return err
	}
	svc, done, err := c.openNew(e, service.Files{})
	if err != nil {
		return err
	}
	defer done()
	ws, owner, err := svc.CreateWorkspace(e.ctx, operator(""), service.NewWorkspace{
		Name: c.Name, Slug: c.Slug, OwnerName: c.OwnerName, OwnerEmail: c.OwnerEmail, OwnerMention: c.OwnerMention,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "workspace %s created, owner @%s\n", ws.Slug, owner.MentionName)
	return err
}

type memberCommand struct {
	Add memberAdd `cmd:"" help:"Add a member to a workspace."`
}

type memberAdd struct {
	where
	Workspace   string `help:"Slug of the workspace; the first one by default." placeholder:"SLUG"`
	Name        string `required:"" help:"Name of the person."`
	Email       string `required:"" help:"E-mail address of the person."`
	MentionName string `required:"" help:"Mention name: a-z, 0-9, '-', '_' and '.'."`
	Role        string `required:"" enum:"admin,member,observer" help:"admin, member or observer."`
}

func (c memberAdd) Run(e env) error {
	c.MentionName = strings.TrimPrefix(c.MentionName, "@")
	if err := checkFlags(flag{"name", c.Name, name}, flag{"email", c.Email, email}, flag{"mention-name", c.MentionName, mention}); err != nil {
		return err
	}
	return c.in(e, c.Workspace, func(svc *service.Service, by tracker.Actor) error {
		m, err := svc.AddMember(e.ctx, by, tracker.MemberParams{
			Name: c.Name, Email: c.Email, MentionName: c.MentionName, Role: tracker.Role(c.Role),
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.out, "member @%s added\n", m.MentionName)
		return err
	})
}

// A form is what the value of a flag must look like.
type form struct {
	fits func(string) bool
	says string
}

var (
	name    = form{isName, "a name of at most 128 characters that is not blank"}
	slug    = form{tracker.IsSlug, "at most 63 of a-z, 0-9 and '-', with no '-' at the ends"}
	email   = form{tracker.IsEmail, "an e-mail address"}
	mention = form{tracker.IsMention, "at most 63 of a-z, 0-9, '-', '_' and '.'"}
)

type flag struct {
	name, value string
	form        form
}

// checkFlags names every flag whose value does not fit.
func checkFlags(flags ...flag) error {
	var wrong []string
	for _, f := range flags {
		if !f.form.fits(f.value) {
			wrong = append(wrong, fmt.Sprintf("--%s is %q, but must be %s", f.name, f.value, f.form.says))
		}
	}
	if wrong == nil {
		return nil
	}
	return usageError(strings.Join(wrong, "\n          "))
}

func isName(s string) bool { return strings.TrimSpace(s) != "" && utf8.RuneCountInString(s) <= 128 }
