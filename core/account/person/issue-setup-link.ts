// Issues the one-time link with which a person sets a password: at the invitation, or when it was forgotten.
import type { OrgId, PersonId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { SETUP_LINK_TTL_HOURS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { putSetupLink } from './setup-link-store.ts'

/** A new token, valid once within 72 hours; it replaces earlier ones of the person. Within the caller's transaction. */
export async function issueSetupLink(sql: Sql, orgId: OrgId, personId: PersonId): Promise<string> {
  const token = newToken()
  await putSetupLink(sql, orgId, personId, { tokenHash: hashToken(token), ttlHours: SETUP_LINK_TTL_HOURS })
  return token
}

/** The link's URL. The token is in the fragment, which browsers do not send. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/settings/setup#${token}`
}
