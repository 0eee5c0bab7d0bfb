// The one-time link with which a person sets a password: for a new person, and for one who has forgotten theirs.
import type { OrgId, PersonId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { SETUP_LINK_TTL_HOURS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { putSetupLink } from './setup-link-store.ts'

/** A fresh token, good for 72 hours and once; any earlier one of the person is void. Within the caller's transaction. */
export async function issueSetupLink(sql: Sql, orgId: OrgId, personId: PersonId): Promise<string> {
  const token = newToken()
  await putSetupLink(sql, orgId, personId, { tokenHash: hashToken(token), ttlHours: SETUP_LINK_TTL_HOURS })
  return token
}

/** Where the link leads. The token stands behind the #, which browsers send to nobody. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/settings/setup#${token}`
}
