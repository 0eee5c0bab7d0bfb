// What the URL of an object managed in Kubernetes may look like, as expressions of RE2, which CEL uses. A rule that parses the host costs more than the API server
// allows. The schema is for early answers: the controller resolves the name, and every delivery checks the addresses.

const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** A last label that begins with a letter excludes every spelling of an IP address: dotted, hexadecimal, one number, IPv6. */
const LAST_LABEL = '[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const PORT = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** https, a name with a dot, an optional port, no user, no fragment. */
export const WEBHOOK_URL = `^https://(${LABEL}[.])+${LAST_LABEL}(:${PORT})?([/?][^#\\s]*)?$`

/** A name that exists only inside a network or a cluster. */
export const INTERNAL_NAME = '^https://[^/?:]*[.](?i:svc|local|internal|localhost)([:/?]|$)'
