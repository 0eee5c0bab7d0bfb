// The way in for every operation behind a signing link: token to hash, hash to owner, owner to envelope and link.
import type { Actor } from '#core/audit/rules.ts'
import { type ChainEnd, findChainEnd } from '#core/audit/store.ts'
import type { Core } from '#core/context.ts'
import { type LockedEnvelope, lockEnvelope } from '#core/envelope/store.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { findLink, findLinkOwner, type Link, type LinkOwner } from './link-store.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface LinkContext extends LinkOwner {
  sql: Sql
  envelope: LockedEnvelope
  link: Link
  /** Where the visit's entries are appended to the trail, all of them at once: it is not moved on. */
  chainEnd: ChainEnd
}

/** Whose link it is, for good. Throws SIGNING_LINK_NOT_FOUND for a token of the wrong shape (without a look-up) or of nobody. */
export async function ownerOf({ database }: Pick<Core, 'database'>, token: string): Promise<LinkOwner> {
  if (!TOKEN.test(token)) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  const owner = await findLinkOwner(database, hashToken(token))
  if (!owner) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  return owner
}

/** Runs `work` behind the link in one transaction, during which nobody else changes the envelope. Throws SIGNING_LINK_NOT_FOUND. */
export async function withSigningLink<T>(
  core: Pick<Core, 'database'>,
  owner: LinkOwner,
  work: (visit: LinkContext) => Promise<T>,
): Promise<T> {
  const { orgId, envelopeId, signerId } = owner
  return inOrganisation(core.database, orgId, async (sql) => {
    // They travel together. The lock comes first, so that the others see whatever it waited for.
    const [envelope, link, chainEnd] = await Promise.all([
      lockEnvelope(sql, orgId, envelopeId),
      findLink(sql, orgId, signerId),
      findChainEnd(sql, orgId, envelopeId),
    ])
    if (!envelope || !link) throw new DomainError('SIGNING_LINK_NOT_FOUND')
    return work({ ...owner, sql, envelope, link, chainEnd })
  })
}

/** The signer as an actor of the audit trail. */
export function asActor({ signerId, name, email }: Link): Actor {
  return { kind: 'signer', signerId, name, email }
}
