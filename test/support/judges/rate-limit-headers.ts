// Parses a response's RateLimit headers by limit name (draft-ietf-httpapi-ratelimit-headers).

export interface RateLimitHeader {
  /** `q=...` and what follows. */
  policy: string | undefined
  /** `r=...` and what follows. */
  state: string | undefined
}

export function rateLimitHeaders(headers: Headers): Record<string, RateLimitHeader> {
  const [policies, states] = ['RateLimit-Policy', 'RateLimit'].map((name) => itemsOf(headers.get(name) ?? ''))
  return Object.fromEntries(
    Object.keys({ ...policies, ...states }).map((name) => [name, { policy: policies?.[name], state: states?.[name] }]),
  )
}

function itemsOf(header: string): Record<string, string> {
  return Object.fromEntries([...header.matchAll(/"([a-z-]+)";([^,]+)/g)].map(([, name, rest]) => [name, rest]))
}
