// Reads a token before its signature is verified: the issuer it claims, and whether its JSON is unambiguous.
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { MAX_TOKEN_CHARACTERS } from './rules.ts'

const JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/
const Json = z.record(z.string(), z.unknown())

/** The unverified `iss` of a signed token; undefined for anything but a compact JWS of two JSON objects without repeated names (parsers differ in
 *  which of two claims they use: RFC 7519, section 4), and for one with a critical extension (RFC 7515, 4.1.11). */
export function claimedIssuer(token: string): string | undefined {
  const [, header, payload] = (token.length <= MAX_TOKEN_CHARACTERS && JWS.exec(token)) || []
  const head = header && readObject(header)
  if (!head || !payload || 'crit' in head) return undefined
  const issuer = readObject(payload)?.['iss']
  return typeof issuer === 'string' ? issuer : undefined
}

function readObject(encoded: string): Record<string, unknown> | undefined {
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    return countMembers(value) === writtenMembers(text) ? Json.safeParse(value).data : undefined
  } catch {
    return undefined // invalid JSON
  }
}

/** Counts the names in valid JSON text: every string before a colon. */
function writtenMembers(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length
}

/** Counts the names after parsing, which keeps only the last of equal ones. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, member) => sum + countMembers(member), own)
}
