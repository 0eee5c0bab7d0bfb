// The token endpoint's shapes: RFC 6749, 7517 and 8414, not the API's own.
import { z } from 'zod'
import { Int32 } from './scalars.ts'

export const TokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional().describe('Leave out this and `client_secret` with HTTP Basic.'),
    client_secret: z.string().optional(),
    scope: z.literal('org_api').optional(),
  })
  .meta({ id: 'TokenRequest', description: 'RFC 6749, 4.4.2.' })

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Send it as `Authorization: Bearer`. Clients must treat it as opaque.'),
    token_type: z.literal('Bearer'),
    expires_in: Int32.describe('Seconds, at most 300.'),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse', description: 'RFC 6749, 5.1.' })

export const TokenError = z
  .object({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'TokenError', description: 'RFC 6749, 5.2. Differs from the error body of the API.' })

export const KeySet = z
  .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })) })
  .meta({ id: 'KeySet', description: 'RFC 7517. Keys rotate every 30 days and overlap.' })

export const ServerMetadata = z
  .looseObject({
    issuer: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
    grant_types_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'ServerMetadata', description: 'RFC 8414.' })
