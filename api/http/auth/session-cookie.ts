// The cookie of a panel session. `__Host-` stops sibling domains from setting it; scripts cannot read it, and other sites' requests do not
// carry it.
import { KNOWN_DEVICE_SECONDS } from '#core/limits.ts'
import { isLoopbackHost } from '#core/platform/config/loopback.ts'
import type { Request, Response } from 'express'

export const SESSION = 'sealwright-session'
const DEVICE = 'sealwright-device'
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The session cookies of one request, for panel handlers. */
export interface SessionCookie {
  /** The session token that the browser sent. */
  token: string | undefined
  write(token: string): void
  clear(): void
  /** Identifies a browser that signed in before; it grants no access. */
  device: string | undefined
  writeDevice(device: string): void
}

/** The attributes that all cookies share. */
export function hardened(publicUrl: string) {
  return { httpOnly: true, secure: needsHttps(publicUrl), path: '/' } as const
}

/** Plain HTTP is allowed on loopback only; everywhere else cookies require HTTPS. */
function needsHttps(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || !isLoopbackHost(hostname)
}

/** The cookies of this request and its response. The session cookie lasts until the browser closes; the database decides when the session expires. */
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

/** The session token that the browser sent; undefined when it is missing or malformed. */
export function readSessionToken(publicUrl: string, request: Request): string | undefined {
  const value = readCookie(request, cookieName(publicUrl, SESSION))
  return value && TOKEN.test(value) ? value : undefined
}

/** `__Host-` requires HTTPS (RFC 6265bis, 4.1.3.2). */
export function cookieName(publicUrl: string, name: string): string {
  return needsHttps(publicUrl) ? `__Host-${name}` : name
}

/** The raw value of a cookie. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
