// The entry of every operation on a signing link: from token to hash, owner, envelope and link.
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
  /** The end of the audit trail. Append all entries at once, because it is not updated afterwards. */
  chainEnd: ChainEnd
}

/** The owner of a link, which never changes. Throws SIGNING_LINK_NOT_FOUND for an unknown token, and without a look-up for one of the wrong format. */
export async function ownerOf({ database }: Pick<Core, 'database'>, token: string): Promise<LinkOwner> {
  if (!TOKEN.test(token)) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  const owner = await findLinkOwner(database, hashToken(token))
  if (!owner) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  return owner
}

/** Runs `work` in one transaction that holds the envelope's lock. Throws SIGNING_LINK_NOT_FOUND. */
export async function withSigningLink<T>(
  core: Pick<Core, 'database'>,
  owner: LinkOwner,
  work: (context: LinkContext) => Promise<T>,
): Promise<T> {
  const { orgId, envelopeId, signerId } = owner
  return inOrganisation(core.database, orgId, async (sql) => {
    // Pipelined. The lock comes first, so that the others see what was committed before it was granted.
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
