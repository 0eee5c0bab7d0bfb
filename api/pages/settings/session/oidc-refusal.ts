// Why the organisation's own sign-in sent somebody back without a session, from the fragment of the address.

const REFUSALS = ['SIGN_IN_EXPIRED', 'SIGN_IN_FAILED', 'PROVIDER_UNAVAILABLE', 'EMAIL_NOT_VERIFIED', 'PERSON_UNKNOWN'] as const
export type OidcRefusal = (typeof REFUSALS)[number]

/** The refusal, taken out of the address so that a reload does not repeat it; one without words of its own is a failure like others. */
export function takeOidcRefusal(
  location: { hash: string; pathname: string; search: string },
  history: { replaceState: (data: null, unused: string, url: string) => void },
): OidcRefusal | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('error')
  if (code === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return REFUSALS.find((known) => known === code) ?? 'SIGN_IN_FAILED'
}
