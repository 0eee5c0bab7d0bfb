// The cookie of a panel session. `__Host-` keeps sibling domains from planting one; scripts never see it, other sites never send it.
import type { Request, Response } from 'express'

const NAME = 'sealwright-session'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** What a handler of the panel may do with the browser's session. */
export interface SessionCookie {
  /** The session token that the browser sent. */
  token: string | undefined
  write(token: string): void
  clear(): void
}

/** Plain HTTP is for trying things out on one machine; everywhere else cookies are for HTTPS alone. */
export function needsHttps(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || !LOOPBACK.test(hostname)
}

/** The cookie of this request and its answer. It lasts as long as the browser runs; the session itself ends by the database. */
export function sessionCookie(publicUrl: string, request: Request, response: Response): SessionCookie {
  const name = cookieName(publicUrl)
  const attributes = { httpOnly: true, sameSite: 'strict', secure: needsHttps(publicUrl), path: '/' } as const
  return {
    token: readSessionToken(publicUrl, request),
    write: (token) => void response.cookie(name, token, attributes),
    clear: () => void response.clearCookie(name, attributes),
  }
}

/** The session token that the browser sent; undefined where there is none or it has another shape. */
export function readSessionToken(publicUrl: string, request: Request): string | undefined {
  const value = readCookie(request, cookieName(publicUrl))
  return value && TOKEN.test(value) ? value : undefined
}

function cookieName(publicUrl: string): string {
  return needsHttps(publicUrl) ? `__Host-${NAME}` : NAME
}

function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
