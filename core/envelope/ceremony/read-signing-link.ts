// Reads a signing link without a lock and from one snapshot.
import type { Core } from '#core/context.ts'
import { listDocuments } from '#core/envelope/document/store.ts'
import { findRequestedEnvelope, type RequestedEnvelope } from '#core/envelope/store.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { queryInOrganisation, readInOrganisation } from '#core/platform/postgres/client.ts'
import { findRetention, type Retention } from '#core/envelope/retention/store.ts'
import { findLink, type GuardedLink, type Link, type LinkOwner, selectGuardedLink } from './link-store.ts'

export interface LinkView {
  envelope: RequestedEnvelope
  link: Link
  documents: Awaited<ReturnType<typeof listDocuments>>
  retention: Retention
}

/** Everything behind the link, before any gate is checked. Throws SIGNING_LINK_NOT_FOUND. */
export async function readSigningLink(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  owner: LinkOwner,
): Promise<LinkView> {
  const { orgId, envelopeId, signerId } = owner
  const [envelope, link, documents, retention] = await readInOrganisation(database, orgId, (sql) =>
    Promise.all([
      findRequestedEnvelope(sql, orgId, envelopeId),
      findLink(sql, orgId, signerId),
      listDocuments(sql, orgId, envelopeId),
      findRetention(sql, orgId, envelopeId, settings),
    ]),
  )
  if (!envelope || !link) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  return { envelope, link, documents, retention }
}

/** Only the state that the gates need. Throws SIGNING_LINK_NOT_FOUND. */
export async function readGateState({ database }: Pick<Core, 'database'>, { orgId, signerId }: LinkOwner): Promise<GuardedLink> {
  const [link] = await queryInOrganisation(database, orgId, (sql) => selectGuardedLink(sql, orgId, signerId))
  if (!link) throw new DomainError('SIGNING_LINK_NOT_FOUND')
  return link
}
