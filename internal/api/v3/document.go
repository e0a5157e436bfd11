package v3

import (
	"context"
	"fmt"
	"unicode/utf8"

	"milepost/internal/api/rest"
	"milepost/internal/markdown"
	"milepost/internal/tracker"
)

// DocSlim is a document as lists show it.
type DocSlim struct {
	AppURL string       `json:"app_url"`
	ID     tracker.UUID `json:"id"`
	Title  string       `json:"title"`
}

// Doc is a single document.
type Doc struct {
	AppURL          string       `json:"app_url"`
	Archived        bool         `json:"archived"`
	ContentHTML     *string      `json:"content_html,omitzero" doc:"Safe to show; there when it is asked for."`
	ContentMarkdown string       `json:"content_markdown"`
	CreatedAt       tracker.Time `json:"created_at"`
	ID              tracker.UUID `json:"id"`
	Title           string       `json:"title"`
	UpdatedAt       tracker.Time `json:"updated_at"`
}

func (a API) renderDocSlim(by tracker.Actor, id tracker.UUID, title string) DocSlim {
	return DocSlim{AppURL: a.AppURL(by, "document", id), ID: id, Title: title}
}

func (a API) renderDocSlims(by tracker.Actor, list []tracker.DocumentTitle) []DocSlim {
	return Each(list, func(d tracker.DocumentTitle) DocSlim { return a.renderDocSlim(by, d.ID, d.Title) })
}

// RenderDoc renders a single document, with its HTML if the format is that.
func (a API) RenderDoc(by tracker.Actor, d tracker.Document, format string) Doc {
	doc := Doc{
		AppURL: a.AppURL(by, "document", d.ID), Archived: d.Archived, ContentMarkdown: d.Content, CreatedAt: d.CreatedAt, ID: d.ID,
		Title: d.Title, UpdatedAt: d.UpdatedAt,
	}
	if format == htmlFormat {
		html := markdown.ToHTML(d.Content)
		doc.ContentHTML = &html
	}
	return doc
}

const htmlFormat = "html"

// markdownOf is the Markdown of a content in the format, which is HTML unless given.
func markdownOf(content string, format tracker.Opt[string]) (string, error) {
	if format.Or(htmlFormat) == htmlFormat {
		converted, err := markdown.FromHTML(content)
		if err != nil {
			return "", tracker.InvalidFields(map[string]any{"content": err.Error()})
		}
		content = converted
	}
	if utf8.RuneCountInString(content) > tracker.MaxDocumentContent {
		return "", tracker.InvalidFields(map[string]any{
			"content": fmt.Sprintf("must have at most %d characters as Markdown", tracker.MaxDocumentContent),
		})
	}
	return content, nil
}

func (a API) listDocs(ctx context.Context, by tracker.Actor, _ rest.None) ([]DocSlim, error) {
	list, err := a.Service.Documents(ctx, by)
	return a.renderDocSlims(by, list), err
}

func (a API) listEpicDocs(ctx context.Context, by tracker.Actor, in epicID) ([]DocSlim, error) {
	list, err := a.Service.DocumentsOfEpic(ctx, by, in.ID)
	return a.renderDocSlims(by, list), err
}

type getDoc struct {
	ID            tracker.UUID        `path:"doc-public-id" doc:"The id of the document."`
	ContentFormat tracker.Opt[string] `query:"content_format" is:"enum=markdown|html" doc:"html adds content_html."`
}

func (a API) getDoc(ctx context.Context, by tracker.Actor, in getDoc) (Doc, error) {
	d, err := a.Service.Document(ctx, by, in.ID)
	if err != nil {
		return Doc{}, err
	}
	return a.RenderDoc(by, d, in.ContentFormat.Value), nil
}

type createDoc struct {
	Content       string              `json:"content" is:"required,max=200000"`
	ContentFormat tracker.Opt[string] `json:"content_format" is:"enum=markdown|html" doc:"The format of the content; html by default."`
	Title         string              `json:"title" is:"required,min=1,max=256"`
}

func (a API) createDoc(ctx context.Context, by tracker.Actor, in createDoc) (DocSlim, error) {
	content, err := markdownOf(in.Content, in.ContentFormat)
	if err != nil {
		return DocSlim{}, err
	}
	d, err := a.Service.CreateDocument(ctx, by, in.Title, content)
	return a.renderDocSlim(by, d.ID, d.Title), err
}

type updateDoc struct {
	ID            tracker.UUID        `path:"doc-public-id" doc:"The id of the document."`
	Content       tracker.Opt[string] `json:"content" is:"max=200000"`
	ContentFormat tracker.Opt[string] `json:"content_format" is:"enum=markdown|html" doc:"The format of the content; html by default. If it is given, html adds content_html to the answer."`
	Title         tracker.Opt[string] `json:"title" is:"min=1,max=256"`
}

func (a API) updateDoc(ctx context.Context, by tracker.Actor, in updateDoc) (Doc, error) {
	if content, ok := in.Content.Get(); ok {
		var err error
		if in.Content.Value, err = markdownOf(content, in.ContentFormat); err != nil {
			return Doc{}, err
		}
	}
	d, err := a.Service.UpdateDocument(ctx, by, in.ID, tracker.DocumentChange{Title: in.Title, Content: in.Content})
	if err != nil {
		return Doc{}, err
	}
	return a.RenderDoc(by, d, in.ContentFormat.Value), nil
}

type deleteDoc struct {
	ID            tracker.UUID        `path:"doc-public-id" doc:"The id of the document."`
	ContentFormat tracker.Opt[string] `json:"content_format" is:"enum=markdown|html" doc:"Clients send it; it has no effect."`
}

func (a API) deleteDoc(ctx context.Context, by tracker.Actor, in deleteDoc) (rest.None, error) {
	return rest.None{}, a.Service.DeleteDocument(ctx, by, in.ID)
}

type docID struct {
	ID tracker.UUID `path:"doc-public-id" doc:"The id of the document."`
}

func (a API) listDocEpics(ctx context.Context, by tracker.Actor, in docID) ([]EpicSlim, error) {
	list, err := a.Service.EpicsOfDocument(ctx, by, in.ID)
	return a.RenderEpicSlims(by, list, true), err
}

type docEpic struct {
	ID     tracker.UUID `path:"doc-public-id" doc:"The id of the document."`
	EpicID int64        `path:"epic-public-id" doc:"The id of the epic."`
}

func (a API) linkDoc(ctx context.Context, by tracker.Actor, in docEpic) (rest.None, error) {
	return rest.None{}, a.Service.LinkDocument(ctx, by, in.ID, in.EpicID)
}

func (a API) unlinkDoc(ctx context.Context, by tracker.Actor, in docEpic) (rest.None, error) {
	return rest.None{}, a.Service.UnlinkDocument(ctx, by, in.ID, in.EpicID)
}
