// The security schemes.
import { ORG_API_ROLE } from '#core/account/credential/rules.ts'
import { cookieName, SESSION } from '../http/auth/session-cookie.ts'
import type { JsonSchema } from './types.ts'

/** For organisations' programs: a token from our token endpoint or from a trusted external issuer. */
export function apiSecurity(baseUrl: string): Record<string, JsonSchema> {
  return {
    clientCredentials: {
      type: 'oauth2',
      description:
        'A client id and secret are issued in the settings panel. The token is valid for 300 s; cache it and renew it before it expires.',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl.replace(/\/$/, '')}/oauth2/token`,
          scopes: { [ORG_API_ROLE]: "Everything that the credential's workspaces allow." },
        },
      },
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access token itself, also one of an outside issuer that this installation trusts.',
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
        'Set by signing in. HttpOnly, SameSite=Strict, and Secure off localhost. Where the panel is reached over plain HTTP, its name lacks `__Host-`.',
    },
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'The `csrfToken` that signing in and GET /settings/api/session answer. Due for every change.',
    },
  }
}
