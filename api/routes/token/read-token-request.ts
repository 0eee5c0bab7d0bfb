// Reads a token request: RFC 6749, sections 2.3.1, 4.4.2 and 5.2. Pure, so that tables test every error.
import { ORG_API_ROLE } from '#core/account/credential/rules.ts'

export type TokenErrorCode = 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope' | 'invalid_client'

export type TokenRequest =
  | { clientId: string; clientSecret: string; basic: boolean }
  | { error: TokenErrorCode; description: string; basic: boolean }

interface ClientPair {
  clientId: string
  clientSecret: string
}

/** Parses a token request from the form's fields and the Authorization header. */
export function readTokenRequest(form: URLSearchParams, authorization: string | undefined): TokenRequest {
  const basic = authorization !== undefined
  const rejected = checkGrant(form) ?? checkScope(form)
  if (rejected) return { ...rejected, basic }
  if (basic && form.get('client_secret')) {
    return { error: 'invalid_request', description: 'Authenticate either in the header or in the body.', basic }
  }
  const pair = basic ? fromHeader(authorization) : fromForm(form)
  // No id contains NUL (RFC 6749, A.1), and Postgres rejects a query with one.
  if (!pair || pair.clientId.includes('\0'))
    return { error: 'invalid_client', description: 'Client authentication is missing or malformed.', basic }
  return { ...pair, basic }
}

function checkGrant(form: URLSearchParams): { error: TokenErrorCode; description: string } | undefined {
  if (new Set(form.keys()).size < form.size) return { error: 'invalid_request', description: 'A parameter is repeated.' }
  const grantType = form.get('grant_type')
  if (!grantType) return { error: 'invalid_request', description: 'grant_type is missing.' }
  if (grantType === 'client_credentials') return undefined
  return { error: 'unsupported_grant_type', description: 'Only client_credentials is supported.' }
}

function checkScope(form: URLSearchParams): { error: TokenErrorCode; description: string } | undefined {
  const scopes = form.get('scope')?.split(' ').filter(Boolean) ?? []
  if (scopes.every((scope) => scope === ORG_API_ROLE)) return undefined
  return { error: 'invalid_scope', description: `The only scope is ${ORG_API_ROLE}.` }
}

function fromForm(form: URLSearchParams): ClientPair | undefined {
  const clientId = form.get('client_id')
  const clientSecret = form.get('client_secret')
  return clientId && clientSecret ? { clientId, clientSecret } : undefined
}

/** Id and secret are form-encoded before they are joined and encoded again (RFC 6749, 2.3.1). */
function fromHeader(authorization: string): ClientPair | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const clientId = formDecode(text.slice(0, colon))
  const clientSecret = formDecode(text.slice(colon + 1))
  return clientId && clientSecret ? { clientId, clientSecret } : undefined
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined // not form-encoded: no client has such an id or secret
  }
}
