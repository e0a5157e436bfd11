package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

func (a API) switchFeature(f tracker.Feature, on bool) rest.Func[rest.None, rest.None] {
	return func(ctx context.Context, by tracker.Actor, _ rest.None) (rest.None, error) {
		return rest.None{}, a.Service.SwitchFeature(ctx, by, f, on)
	}
}
