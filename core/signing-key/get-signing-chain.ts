// The certificates of a signing key, for trusting its seals or checking them with other tools.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { findSigningKeyRow } from './signing-key-store.ts'

/** PEM: the signing certificate, then its issuers, nearest first. Throws SIGNING_KEY_NOT_FOUND. */
export async function getSigningChain(core: Pick<Core, 'database'>, fingerprint: string): Promise<string> {
  const key = await findSigningKeyRow(core.database, fingerprint)
  if (!key) throw new DomainError('SIGNING_KEY_NOT_FOUND')
  return toPemCertificate(key.certificate) + key.chain
}
