// Waits for the sealed copy, reads it from the object store and verifies it with the certificate that the installation has recorded.
import { setTimeout as delay } from 'node:timers/promises'
import type { Core, CredentialCaller } from '#core/context.ts'
import { listEnvelopeDocuments } from '#core/envelope/document/list-envelope-documents.ts'
import { EnvelopeId } from '#core/ids.ts'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { verifyDocument } from '#core/pades/verify-document.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { getSigningChain } from '#core/signing-key/get-signing-chain.ts'
import { readConfig } from '../../config.ts'
import { findInstallationKeys } from '../connect.ts'
import { openStorage } from '../open-storage.ts'
import type { CheckAccess } from './access.ts'
import { reach } from './client.ts'

const POLL_MS = 250
const SEALED_WITHIN_MS = 120_000

interface SealedEnvelope {
  access: Pick<CheckAccess, 'orgId' | 'credentialId' | 'clientId'>
  envelopeId: string
}

/** Throws one sentence when there is no copy in time, or when it is not valid. */
export async function verifySealed(
  { database }: Pick<Core, 'database'>,
  { access, envelopeId }: SealedEnvelope,
  report: (step: string) => void,
): Promise<void> {
  const sealed = await fetchSealed({ database }, access, EnvelopeId.parse(envelopeId))
  report(`read the sealed copy from the object store (${sealed.length} bytes)`)
  const now = await databaseNow(database)
  const { signature } = verifyDocument(sealed, { now })
  if (!signature) throw new Error('The sealed copy has no seal.')
  const chain = await getSigningChain({ database }, access.orgId, signature.certificate.fingerprint)
  const { valid, message } = verifyDocument(sealed, { trust: readPemCertificates(chain), now })
  if (valid !== true) throw new Error(`The sealed copy is not valid: ${message}`)
  report('verified the seal')
}

async function fetchSealed(core: Pick<Core, 'database'>, access: SealedEnvelope['access'], id: EnvelopeId): Promise<Buffer> {
  const read = readConfig()
  const settings = { ...read, publicUrl: publicUrlOf(read) }
  await using opened = await openStorage({ ...core, keys: await findInstallationKeys() })
  const caller: CredentialCaller = { kind: 'credential', origin: { address: null, userAgent: null }, ...access }
  for (let waitedMs = 0; waitedMs < SEALED_WITHIN_MS; waitedMs += POLL_MS) {
    const [document] = await listEnvelopeDocuments({ ...core, settings, storage: opened.storage }, caller, id)
    if (document?.signedUrl) return download(document.signedUrl)
    await delay(POLL_MS)
  }
  throw new Error(`The envelope was not sealed within ${SEALED_WITHIN_MS / 1_000} s. Run "sealwright work status --kind seal".`)
}

async function download(url: string): Promise<Buffer> {
  const response = await reach(url)
  // The URL is a secret.
  if (!response.ok) throw new Error(`The object store answered ${response.status} to a download link.`)
  return Buffer.from(await response.arrayBuffer())
}
