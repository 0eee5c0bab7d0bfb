// Records the certificate that seals. Verification pins these certificates; private keys are never in the database.
import type { Core } from '#core/context.ts'
import { signingCertificateEnd } from '#core/platform/metrics/metrics.ts'
import { readCertificate } from '#core/pades/certificate.ts'
import { type SigningKey, signingKeyFingerprint, toPemCertificate } from '#core/pades/signing-key.ts'
import { upsertSigningKey } from './signing-key-store.ts'

/** A known certificate keeps its row and becomes the one in use. Needs a database of the system role. */
export async function registerSigningKey(
  core: Pick<Core, 'database'>,
  key: SigningKey,
  origin: 'SELF_MADE' | 'IMPORTED',
): Promise<void> {
  const { certificate } = key
  const chain = key.chain.map(toPemCertificate).join('')
  signingCertificateEnd.set(readCertificate(certificate).x509.validToDate.getTime() / 1000)
  await upsertSigningKey(core.database, { fingerprint: signingKeyFingerprint(key), certificate, chain, origin })
}
