// What an access token must say. Spec, Authentication; RFC 9068.
export const ORG_API_ROLE = 'org_api'
/** The `typ` header: keeps other JWTs of this issuer from passing as access tokens (RFC 8725, 3.11). */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** How far two clocks may be apart. */
export const CLOCK_SKEW_SECONDS = 5
