// The parts of a webhook's URL as lists and titles show them. Pure.

const MAX_PATH_CHARACTERS = 48

export interface WebhookAddress {
  host: string
  /** With the query; its middle is left out if it is long. Empty for the root. */
  path: string
}

/** The host with its port, and the shortened path; text that is no URL is all host. */
export function addressOfUrl(url: string): WebhookAddress {
  if (!URL.canParse(url)) return { host: url, path: '' }
  const { host, pathname, search } = new URL(url)
  return { host, path: shortened(pathname === '/' && search === '' ? '' : pathname + search) }
}

function shortened(path: string): string {
  if (path.length <= MAX_PATH_CHARACTERS) return path
  const kept = (MAX_PATH_CHARACTERS - 1) / 2
  return `${path.slice(0, Math.ceil(kept))}…${path.slice(-Math.floor(kept))}`
}
