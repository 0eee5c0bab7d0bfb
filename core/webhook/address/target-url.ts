// What the URL of a webhook may look like, before its name is resolved.
import type { AttemptFailure } from '../failure.ts'

/** Names that exist only inside a network or a cluster (RFC 6761, RFC 6762, RFC 8375, Kubernetes). */
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'home.arpa',
  'lan',
  'svc',
]
const NAME_AT_MOST = 253
const HTTPS_PORT = 443

/** The parsed URL, or why its form is not allowed. The URL parser turns every spelling of an IPv4 address into the usual one. */
export function parseTargetUrl(text: string): URL | AttemptFailure {
  const url = URL.parse(text)
  if (!url || !isWellFormed(hostOf(url))) return notAllowed('form')
  if (url.protocol !== 'https:') return notAllowed('scheme')
  if (url.username !== '' || url.password !== '') return notAllowed('userinfo')
  if (url.port === '0') return notAllowed('port')
  return url
}

/** The host without the brackets of an IPv6 address and without the dot that ends an absolute name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** The port to connect to. */
export function portOf({ port }: URL): number {
  return Number(port) || HTTPS_PORT
}

/** Whether the name is for use inside a network. A name without a dot is: a resolver completes it with its search list. */
export function isInternalName(host: string): boolean {
  return !host.includes('.') || INTERNAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
}

function isWellFormed(host: string): boolean {
  return host.length <= NAME_AT_MOST && !host.split('.').includes('')
}

function notAllowed(detail: string): AttemptFailure {
  return { code: 'URL_NOT_ALLOWED', detail }
}
