// The one-time token of an emailed link. It is in the fragment so that no server logs it, and is removed from the URL immediately so that
// no history, bookmark or screenshot contains it.

/** The token, removed from the URL; empty if there is none. */
export function takeSetupToken(
  location: { hash: string; pathname: string },
  history: { replaceState: (data: null, unused: string, url: string) => void },
): string {
  const token = location.hash.slice(1)
  if (token) history.replaceState(null, '', location.pathname)
  return token
}

/** True at the URL of the link. */
export function isSetupAddress({ pathname }: { pathname: string }): boolean {
  return /^\/settings\/setup\/?$/.test(pathname)
}
