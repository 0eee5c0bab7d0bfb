// How callers authenticate.
import { ORG_API_ROLE } from '#core/account/credential/rules.ts'
import { cookieName, SESSION } from '../http/auth/session-cookie.ts'
import type { JsonSchema } from './types.ts'

/** Organisations' programs: a token from our token endpoint, or from an external issuer that the installation trusts. */
export function apiSecurity(baseUrl: string): Record<string, JsonSchema> {
  return {
    clientCredentials: {
      type: 'oauth2',
      description:
        'Create a client id and secret in the settings panel. A token is valid for 300 s; cache it and request a new one before it expires.',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl.replace(/\/$/, '')}/oauth2/token`,
          scopes: { [ORG_API_ROLE]: 'All operations, with the permissions that the credential has in each workspace.' },
        },
      },
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token from this service, or from an external issuer that the installation trusts.',
    },
  }
}

/** For people in the panel. The cookie's name depends on whether the panel uses HTTPS. */
export function panelSecurity(baseUrl: string): Record<string, JsonSchema> {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieName(URL.canParse(baseUrl) ? baseUrl : 'https://sign.example.test', SESSION),
      description:
        'Set by signing in. HttpOnly, SameSite=Strict, and Secure except on localhost. Over plain HTTP its name has no `__Host-` prefix.',
    },
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'The `csrfToken` from signing in or from GET /settings/api/session. Required for every change.',
    },
  }
}
