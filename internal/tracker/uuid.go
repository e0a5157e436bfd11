package tracker

// UUID is the id of a member, group, template, custom field, token and the like,
// in the canonical lower-case form.
type UUID string

// ParseUUID accepts the 8-4-4-4-12 form in either case.
func ParseUUID(s string) (UUID, bool) {
	if len(s) != 36 {
		return "", false
	}
	var b [36]byte
	for i := range 36 {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return "", false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f':
		case c >= 'A' && c <= 'F':
			c += 'a' - 'A'
		default:
			return "", false
		}
		b[i] = c
	}
	return UUID(b[:]), true
}
