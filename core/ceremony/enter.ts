// The way in for every operation behind a signing link: token to hash, hash to owner, owner to envelope and link.
import type { Actor } from '#core/audit/rules.ts'
import type { Core } from '#core/context.ts'
import { type LockedEnvelope, findEnvelope, lockEnvelope } from '#core/envelope/store.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { hashToken } from '#core/ids.ts'
import { inOrganisation, readInOrganisation, type Sql } from '#core/postgres/client.ts'
import { findLink, findLinkOwner, type Link, type LinkOwner } from './link-store.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface Visit extends LinkOwner {
  sql: Sql
  envelope: LockedEnvelope
  link: Link
}

/** Runs `work` behind the link in one transaction. With `lock`, nobody else changes the envelope meanwhile; without, it only reads, and sees
 *  envelope and link as they stood at one moment.
 *  Throws SIGNING_LINK_NOT_FOUND for a token of the wrong shape (without a look-up) or of nobody. */
export async function enter<T>(
  core: Pick<Core, 'database'>,
  token: string,
  { lock }: { lock: boolean },
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  if (!TOKEN.test(token)) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  const owner = await findLinkOwner(core.database, hashToken(token))
  if (!owner) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  const within = lock ? inOrganisation : readInOrganisation
  const find = lock ? lockEnvelope : findEnvelope
  return within(core.database, owner.orgId, async (sql) => {
    const envelope = await find(sql, owner.orgId, owner.envelopeId)
    const link = envelope && (await findLink(sql, owner.orgId, owner.signerId))
    if (!link) throw new DomainError('SIGNING_LINK_NOT_FOUND')
    return work({ ...owner, sql, envelope, link })
  })
}

/** The signer as an actor of the audit trail. */
export function asActor({ signerId, name, email }: Link): Actor {
  return { kind: 'signer', signerId, name, email }
}
