// A new session for a person who has proved who they are. Always a fresh token: one that a browser brought along is never taken over.
import type { Core, Origin } from '#core/context.ts'
import { hashToken, newToken, type OrgId } from '#core/ids.ts'
import { type AccountRow, markSignedIn } from '#core/person/store.ts'
import type { Sql } from '#core/postgres/client.ts'
import { insertSession } from './store.ts'

export interface StartedSession {
  /** For the cookie and nothing else; the database has its hash. */
  token: string
  person: Pick<AccountRow, 'personId' | 'email' | 'name' | 'role' | 'organisationName'> & { orgId: OrgId }
}

/** Starts it within the caller's transaction. */
export async function startSession(sql: Sql, orgId: OrgId, account: AccountRow): Promise<StartedSession> {
  const { personId, email, name, role, organisationName } = account
  const token = newToken()
  await insertSession(sql, orgId, personId, hashToken(token))
  await markSignedIn(sql, orgId, personId)
  return { token, person: { orgId, personId, email, name, role, organisationName } }
}

/** The line of the security log. */
export function logSessionStarted(
  { log }: Pick<Core, 'log'>,
  { person: { orgId, personId } }: StartedSession,
  method: 'password' | 'oidc',
  { address }: Origin,
): void {
  log.info({ orgId, personId, method, address }, 'session.started')
}
