// The cookie of a panel session. `__Host-` keeps sibling domains from planting one; scripts never see it, other sites never send it.
import { KNOWN_DEVICE_SECONDS } from '#core/limits.ts'
import type { Request, Response } from 'express'

export const SESSION = 'sealwright-session'
const DEVICE = 'sealwright-device'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** What a handler of the panel may do with the browser's session. */
export interface SessionCookie {
  /** The session token that the browser sent. */
  token: string | undefined
  write(token: string): void
  clear(): void
  /** What the browser has kept from an earlier sign-in; it opens nothing. */
  device: string | undefined
  writeDevice(device: string): void
}

/** What every cookie here has in common. */
export function hardened(publicUrl: string) {
  return { httpOnly: true, secure: needsHttps(publicUrl), path: '/' } as const
}

/** Plain HTTP is for trying things out on one machine; everywhere else cookies are for HTTPS alone. */
function needsHttps(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || !LOOPBACK.test(hostname)
}

/** The cookies of this request and its answer. The session's lasts as long as the browser runs; the session itself ends by the database. */
export function sessionCookie(publicUrl: string, request: Request, response: Response): SessionCookie {
  const attributes = { ...hardened(publicUrl), sameSite: 'strict' } as const
  const session = cookieName(publicUrl, SESSION)
  const device = cookieName(publicUrl, DEVICE)
  return {
    token: readSessionToken(publicUrl, request),
    write: (token) => void response.cookie(session, token, attributes),
    clear: () => void response.clearCookie(session, attributes),
    device: readCookie(request, device),
    writeDevice: (value) => void response.cookie(device, value, { ...attributes, maxAge: KNOWN_DEVICE_SECONDS * 1_000 }),
  }
}

/** The session token that the browser sent; undefined where there is none or it has another shape. */
export function readSessionToken(publicUrl: string, request: Request): string | undefined {
  const value = readCookie(request, cookieName(publicUrl, SESSION))
  return value && TOKEN.test(value) ? value : undefined
}

/** `__Host-` wants HTTPS (RFC 6265bis, 4.1.3.2). */
export function cookieName(publicUrl: string, name: string): string {
  return needsHttps(publicUrl) ? `__Host-${name}` : name
}

/** The value of a cookie as it came. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
