// The one-time token of a mailed link. It stands behind the # so that no server ever logs it, and leaves the address bar at once, so that no
// history, bookmark or screenshot keeps it.

/** The token, taken out of the address; empty when there is none. */
export function takeSetupToken(
  location: { hash: string; pathname: string },
  history: { replaceState: (data: null, unused: string, url: string) => void },
): string {
  const token = location.hash.slice(1)
  if (token) history.replaceState(null, '', location.pathname)
  return token
}

/** True at the address of the link. */
export function isSetupAddress({ pathname }: { pathname: string }): boolean {
  return /^\/settings\/setup\/?$/.test(pathname)
}
