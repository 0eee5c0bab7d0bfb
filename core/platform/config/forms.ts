// Formats of settings that a library or key parser would reject later; checked here so that a wrong value is reported with all other errors.
import { isIP } from 'node:net'

const HOST_NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]*[a-z\d])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d])?)*$/i

/** A URL that the driver accepts; it may name several hosts, separated by commas. */
export function isDatabaseUrl(text: string): boolean {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?):\/\/(?:([^@/?]*)@)?([^/?@]*)((?:[/?@][^]*)?)$/.exec(text) ?? []
  if (!scheme || !hosts) return false
  const addresses = hosts.split(',').map((host) => `${scheme}://${login ? `${login}@` : ''}${host}${rest}`)
  return addresses.every((address) => URL.canParse(address) && isDecodable(address))
}

/** Whether the driver knows the URL's `sslmode`; it treats any unknown value as one of the known ones. Unset: no TLS. */
export function hasKnownSslMode(text: string): boolean {
  return parametersOf(text, 'sslmode').every((mode) => ['disable', 'prefer', 'require', 'verify-full'].includes(mode))
}

/** Whether the driver knows the URL's choice among several servers. */
export function hasKnownTarget(text: string): boolean {
  const known = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby']
  return parametersOf(text, 'target_session_attrs').every((target) => known.includes(target))
}

/** Also reads URLs with several hosts, which `URL` cannot parse. */
function parametersOf(text: string, name: string): string[] {
  return new URLSearchParams(/\?([^#]*)/.exec(text)?.[1]).getAll(name)
}

/** NATS servers, separated by commas; user and password are not checked. */
export function isServerList(text: string): boolean {
  return text.split(',').every((each) => {
    const server = each.trim()
    return /^(nats|tls):\/\/[^\s/]+$/.test(server) && Boolean(URL.parse(server)?.hostname)
  })
}

/** What the S3 library accepts as a region with a custom endpoint; stores other than Amazon's use `auto`, `garage` and the like. */
export function isRegion(text: string): boolean {
  return /^(?!-|fips-)[a-z\d-]{1,63}(?<!-|-fips)$/i.test(text)
}

/** Amazon's original rules: the library reads anything else as an ARN, or the URL as another path. */
export function isBucketName(text: string): boolean {
  return /^[a-z\d][a-z\d._-]{0,254}$/i.test(text)
}

export function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text)
}

/** Scheme, host, port and path only. */
export function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password && !/[?#]/.test(text)
}

/** An IPv4 or IPv6 address, or a DNS name. */
export function isHost(text: string): boolean {
  // The service's own URL is built from it, and URLs have no zone ids.
  if (text.includes('%')) return false
  return isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text))
}

/** A DNS label, as Kubernetes requires of namespaces. */
export function isNamespace(text: string): boolean {
  return /^(?!-)[a-z\d-]{1,63}(?<!-)$/.test(text)
}

/** The error for a setting that `isSmtpUrl` rejects. */
export const SMTP_URL_FORM = 'must look like smtp://user:password@host:587 or smtps://user:password@host'
/** The error for a setting that `readMailSender` rejects. */
export const MAIL_SENDER_FORM = 'must be an email address, such as sign@example.com or Sealwright <sign@example.com>'

/** Only smtp: and smtps:, with a host. */
export function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '' && isDecodable(text)
}

const KEY = /^[A-Za-z0-9+/]{43}=$/

/** 32 bytes in base64: a key with a missing character would be another key. */
export function isInstallationKey(text: string): boolean {
  return KEY.test(text)
}

/** One address, without characters that a header or an SMTP command could parse as more. */
export const MAIL_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()[\]\\,;:"@\p{Cc}]{1,253}$/u
const SENDER = /^(?:(?<name>[^<>]*)<(?<inBrackets>[^<>]+)>|(?<bare>[^<>]+))$/

/** The parts of a sender, `Name <address>` or an address alone; undefined for anything else. */
export function readMailSender(text: string): { name: string; address: string } | undefined {
  const parts = SENDER.exec(text.trim())?.groups
  const address = (parts?.['inBrackets'] ?? parts?.['bare'] ?? '').trim()
  return MAIL_ADDRESS.test(address) ? { name: (parts?.['name'] ?? '').replaceAll('"', ''), address } : undefined
}

/** An invalid percent-encoding would only fail when the password is used. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
