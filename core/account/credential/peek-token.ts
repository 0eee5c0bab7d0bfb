// A look into a token before its signature is checked: which issuer it claims, and whether its JSON is one that all parsers read alike.
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { MAX_TOKEN_CHARACTERS } from './rules.ts'

const JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/
const Json = z.record(z.string(), z.unknown())

/** The `iss` that a signed token claims, unverified; undefined for whatever is not a compact JWS of two JSON objects without repeated names
 *  (RFC 7519, section 4: another parser could read the other one of two claims), and for one that needs an extension understood (RFC 7515, 4.1.11). */
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
    return undefined // no JSON
  }
}

/** Names in the text of valid JSON: every string that a colon follows. */
function writtenMembers(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length
}

/** Names that are left once it has been parsed, which keeps the last of equal ones. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, member) => sum + countMembers(member), own)
}
