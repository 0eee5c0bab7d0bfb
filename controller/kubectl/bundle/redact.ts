// Removes from objects what a support bundle must not contain. Pure.
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
/** They are free text of users. */
const FREE_TEXT = new Set(['description'])
const REDACTED = '[redacted]'
/** Paths and queries of webhooks often contain a token. */
const URL_BEHIND_HOST = /(https?:\/\/)(?:[^\s"'/@]*@)?([^\s"'/?#]+)[/?#][^\s"']*/gi
/** Signing secrets, PEM, bearer tokens. */
const SECRETS = [
  /whsec_[\w-]+/g,
  /-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g,
  /(?<![\w-])(?:(?!eyJ)[\w-])*eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
]

/** A copy without free text, the paths of URLs, and anything that looks like a secret. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== LAST_APPLIED)
  return Object.fromEntries(members.map(([name, member]) => [name, FREE_TEXT.has(name) ? REDACTED : redact(member)]))
}

function redactText(text: string): string {
  const withoutPaths = text.replaceAll(URL_BEHIND_HOST, `$1$2/${REDACTED}`)
  return SECRETS.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), withoutPaths)
}
