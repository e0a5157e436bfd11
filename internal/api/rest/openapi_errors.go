package rest

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
)

// usualFailures are the statuses that every operation may answer with.
var usualFailures = []int{
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity,
	http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// A failure is how the document shows an error answer.
type failure struct {
	name, means string
	headers     []string
	bodies      []string // the component schemas that its body may have
}

var failures = map[int]failure{
	http.StatusBadRequest: {"BadRequest", "The request does not match the schema. Every bad field is named.",
		nil, []string{"InvalidRequestError", "MaxSearchResultsExceededError"}},
	http.StatusUnauthorized: {"Unauthorized", "The token is missing or not valid.", nil, []string{"UnauthorizedError"}},
	http.StatusForbidden: {"Forbidden", "The role or token may not do this, the workspace has not got the feature, or the request was not made over HTTPS.",
		nil, []string{"ForbiddenError", "FeatureOffError", "UnusableEntitlementError"}},
	http.StatusNotFound:              {"NotFound", "There is no such resource in the workspace.", nil, []string{"Error"}},
	http.StatusConflict:              {"Conflict", "The update was made on a stale or contradictory view.", nil, []string{"DataConflictError"}},
	http.StatusPreconditionFailed:    {"PreconditionFailed", "If-Match no longer holds.", nil, []string{"Error"}},
	http.StatusNotModified:           {"NotModified", "The answer is what If-None-Match names.", nil, nil},
	http.StatusRequestEntityTooLarge: {"TooLarge", "The request body is too large.", nil, []string{"Error"}},
	http.StatusUnprocessableEntity: {"Unprocessable", "The form is valid, the content impossible: such as a name that is taken, or an id that does not exist.",
		nil, []string{"UnprocessableError"}},
	http.StatusTooManyRequests: {"TooManyRequests", "The rate limit is reached; the request was not processed.",
		[]string{"Retry-After"}, []string{"RateLimitedError"}},
	http.StatusInternalServerError: {"InternalServerError", "Our fault. The log holds the cause under the request id.",
		nil, []string{"InternalError"}},
	http.StatusServiceUnavailable: {"ServiceUnavailable", "A bound of the server is reached; try again later.",
		[]string{"Retry-After"}, []string{"Error"}},
}

func failureResponses() openapi3.ResponseBodies {
	out := openapi3.ResponseBodies{}
	for _, f := range failures {
		if f.bodies == nil {
			out[f.name] = &openapi3.ResponseRef{Value: &openapi3.Response{Description: &f.means, Headers: headerRefs("Request-Id")}}
			continue
		}
		schema := componentRef(f.bodies[0])
		if len(f.bodies) > 1 {
			any := &openapi3.Schema{}
			for _, name := range f.bodies {
				any.AnyOf = append(any.AnyOf, componentRef(name))
			}
			schema = any.NewRef()
		}
		out[f.name] = &openapi3.ResponseRef{Value: &openapi3.Response{
			Description: &f.means, Headers: headerRefs(append(f.headers, "Request-Id")...),
			Content: openapi3.NewContentWithJSONSchemaRef(schema),
		}}
	}
	return out
}

var answerHeaders = openapi3.Headers{
	"Request-Id":  header("The id of the request, as it stands in the log.", text()),
	"Retry-After": header("How many seconds to wait.", openapi3.NewIntegerSchema()),
}

func header(description string, s *openapi3.Schema) *openapi3.HeaderRef {
	return &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Description: description, Schema: s.NewRef()}}}
}

func headerRefs(names ...string) openapi3.Headers {
	out := openapi3.Headers{}
	for _, name := range names {
		out[name] = &openapi3.HeaderRef{Ref: "#/components/headers/" + name}
	}
	return out
}

func componentRef(name string) *openapi3.SchemaRef {
	return openapi3.NewSchemaRef("#/components/schemas/"+name, nil)
}

func text(values ...any) *openapi3.Schema {
	return &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, Enum: values}
}

// newErrorSchemas are the bodies that WriteError writes.
func newErrorSchemas() openapi3.Schemas {
	body := func(keys ...any) *openapi3.SchemaRef {
		s := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}, Properties: openapi3.Schemas{"message": text().NewRef()}}
		s.Required = []string{"message"}
		for i := 0; i < len(keys); i += 2 {
			name := keys[i].(string)
			s.Properties[name] = keys[i+1].(*openapi3.SchemaRef)
			s.Required = append(s.Required, name)
		}
		return s.NewRef()
	}
	tree := componentRef("Reasons")
	return openapi3.Schemas{
		"Error":               body(),
		"InvalidRequestError": body("errors", tree),
		"UnprocessableError":  body("errors", tree),
		"UnauthorizedError":   body("tag", text("organization2_missing", "unauthorized").NewRef()),
		"ForbiddenError":      body("tag", text("forbidden", "https_required").NewRef()),
		"FeatureOffError":     body("feature_tag", text().NewRef()),
		"UnusableEntitlementError": body("name", text("UnusableEntitlementError").NewRef(),
			"reason_tag", text("entitlement-violation").NewRef(), "entitlement_tag", text().NewRef()),
		"DataConflictError": body("name", text("DataConflictError").NewRef(), "error", text("data-conflict-error").NewRef()),
		"MaxSearchResultsExceededError": body("name", text("MaxSearchResultsExceededError").NewRef(),
			"error", text("maximum-results-exceeded").NewRef(), "maximum-results", openapi3.NewIntegerSchema().NewRef()),
		"RateLimitedError": body("tag", text("rate_limited").NewRef()),
		"InternalError":    body("request_id", text().NewRef()),
		"Reasons": (&openapi3.Schema{
			Type:                 &openapi3.Types{openapi3.TypeObject},
			Description:          "Mirrors the structure of the request; under the name of each bad field stands a reason.",
			AdditionalProperties: openapi3.AdditionalProperties{Schema: componentRef("Reason")},
		}).NewRef(),
		"Reason": (&openapi3.Schema{
			Description: "missing-required-key, disallowed-key, duplicate-key, or the form that is expected; " +
				"for objects and arrays the reasons inside, with null for array items that are fine.",
			AnyOf: openapi3.SchemaRefs{
				text().NewRef(), componentRef("Reasons"),
				(&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeArray}, Items: (&openapi3.Schema{AnyOf: openapi3.SchemaRefs{
					componentRef("Reason"), (&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeNull}}).NewRef(),
				}}).NewRef()}).NewRef(),
			},
		}).NewRef(),
	}
}
