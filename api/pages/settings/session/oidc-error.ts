// Why the identity provider's sign-in returned without a session, from the fragment of the URL.

const OIDC_ERRORS = ['SIGN_IN_EXPIRED', 'SIGN_IN_FAILED', 'PROVIDER_UNAVAILABLE', 'EMAIL_NOT_VERIFIED', 'PERSON_UNKNOWN'] as const
export type OidcError = (typeof OIDC_ERRORS)[number]

/** The reason, removed from the URL so that a reload does not repeat it; a reason without its own text gets the general one. */
export function takeOidcError(
  location: { hash: string; pathname: string; search: string },
  history: { replaceState: (data: null, unused: string, url: string) => void },
): OidcError | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('error')
  if (code === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return OIDC_ERRORS.find((known) => known === code) ?? 'SIGN_IN_FAILED'
}
