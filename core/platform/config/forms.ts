// The forms of settings that a library or a key would refuse later, so that a wrong one is told with all the other faults.
import { isIP } from 'node:net'

const HOST_NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]*[a-z\d])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d])?)*$/i

/** A URL that the driver takes; it may name several hosts with commas. */
export function isDatabaseUrl(text: string): boolean {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?):\/\/(?:([^@/?]*)@)?([^/?@]*)([^]*)$/.exec(text) ?? []
  if (!scheme || !hosts) return false
  const addresses = hosts.split(',').map((host) => `${scheme}://${login ? `${login}@` : ''}${host}${rest}`)
  return addresses.every((address) => URL.canParse(address) && isDecodable(address))
}

/** Whether the driver knows the URL's `sslmode`; it takes any other word for one of them. Unset: no TLS. */
export function hasKnownSslMode(text: string): boolean {
  return parametersOf(text, 'sslmode').every((mode) => ['disable', 'prefer', 'require', 'verify-full'].includes(mode))
}

/** Whether the driver knows which of several servers the URL asks for. */
export function hasKnownTarget(text: string): boolean {
  const known = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby']
  return parametersOf(text, 'target_session_attrs').every((target) => known.includes(target))
}

/** Also of a URL with several hosts, which is none to the platform. */
function parametersOf(text: string, name: string): string[] {
  return new URLSearchParams(/\?([^#]*)/.exec(text)?.[1]).getAll(name)
}

/** Servers of NATS with commas; their user and password are not looked at. */
export function isServerList(text: string): boolean {
  return text.split(',').every((each) => {
    const server = each.trim()
    return /^(nats|tls):\/\/[^\s/]+$/.test(server) && Boolean(URL.parse(server)?.hostname)
  })
}

/** What the S3 library takes for a region at an endpoint of one's own; stores other than Amazon's have `auto`, `garage` and the like. */
export function isRegion(text: string): boolean {
  return /^(?!-|fips-)[a-z\d-]{1,63}(?<!-|-fips)$/i.test(text)
}

/** As Amazon first had them: anything else the library takes for an ARN, or the URL for another path. */
export function isBucketName(text: string): boolean {
  return /^[a-z\d][a-z\d._-]{0,254}$/i.test(text)
}

export function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text)
}

/** Nothing but scheme, host, port and path. */
export function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password && !/[?#]/.test(text)
}

/** An address of either version, or a name as DNS has them. */
export function isHost(text: string): boolean {
  // The service's own URL is made of it, and no URL has a zone.
  if (text.includes('%')) return false
  return isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text))
}

/** What is said of a setting that `isSmtpUrl` refuses. */
export const SMTP_URL_FORM = 'must look like smtp://user:password@host:587 or smtps://user:password@host'
/** What is said of a setting that `readMailSender` refuses. */
export const MAIL_SENDER_FORM = 'must be an email address, such as sign@example.com or Sealwright <sign@example.com>'

/** Only smtp: and smtps:, with a host. */
export function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '' && isDecodable(text)
}

const KEY = /^[A-Za-z0-9+/]{43}=$/

/** 32 bytes in base64: one that lacks a character would be another key. */
export function isInstallationKey(text: string): boolean {
  return KEY.test(text)
}

/** One address and nothing that a header or an SMTP command could take for more. */
export const MAIL_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()[\]\\,;:"@\p{Cc}]{1,253}$/u
const SENDER = /^(?:(?<name>[^<>]*)<(?<inBrackets>[^<>]+)>|(?<bare>[^<>]+))$/

/** The parts of a sender, `Name <address>` or an address alone; undefined for anything else. */
export function readMailSender(text: string): { name: string; address: string } | undefined {
  const parts = SENDER.exec(text.trim())?.groups
  const address = (parts?.['inBrackets'] ?? parts?.['bare'] ?? '').trim()
  return MAIL_ADDRESS.test(address) ? { name: (parts?.['name'] ?? '').replaceAll('"', ''), address } : undefined
}

/** Percent signs that stand for nothing would only fail when the password is used. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
