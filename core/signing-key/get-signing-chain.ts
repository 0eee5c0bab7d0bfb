// The certificates of a signing key, for trusting its seals or checking them with other tools.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { queryInOrganisation } from '#core/platform/postgres/client.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { findVisibleCertificate } from './certificate-store.ts'

/** PEM: the signing certificate, then its issuers, nearest first. Throws SIGNING_KEY_NOT_FOUND, also for another organisation's. */
export async function getSigningChain({ database }: Pick<Core, 'database'>, orgId: OrgId, fingerprint: string): Promise<string> {
  const [key] = await queryInOrganisation(database, orgId, (sql) => findVisibleCertificate(sql, orgId, fingerprint))
  if (!key) throw new DomainError('SIGNING_KEY_NOT_FOUND')
  return toPemCertificate(key.certificate) + key.chain
}
