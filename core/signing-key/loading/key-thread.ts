// Runs on the key thread: opens a private key, which takes seconds for a file with many iterations, and tries it. Errors are returned, because a thrown one loses
// its class on the way.
import { randomBytes, sign, verify, X509Certificate } from 'node:crypto'
import { openP12 } from '#core/pades/open-p12.ts'
import { openPemKey, type SigningKey, SigningKeyError, type SigningKeyReason, writePemKey } from '#core/pades/signing-key.ts'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { toOpenedCertificate } from '../opened-certificate.ts'
import type { LoadFailure } from '../rules.ts'
import type { FoundKey, KeyAnswer, KeyTask } from './key-task.ts'

const FAILURE_OF: Record<SigningKeyReason, LoadFailure> = {
  WRONG_PASSWORD: 'WrongPassword',
  UNREADABLE: 'NotPkcs12',
  NO_PRIVATE_KEY: 'NoPrivateKey',
  NO_CERTIFICATE: 'NoPrivateKey',
  UNSUPPORTED_KEY: 'KeyTooWeak',
  WEAK_KEY: 'KeyTooWeak',
  NOT_YET_VALID: 'NotYetValid',
  EXPIRED: 'Expired',
}

/** Opens the key and tries it. */
export async function runKeyTask({ found, now }: KeyTask): Promise<KeyAnswer> {
  try {
    const key = open(found, now)
    if (!signs(key)) return { ok: false, reason: 'NoPrivateKey', message: 'The private key does not belong to its certificate.' }
    return { ok: true, key: { pem: writePemKey(key), certificate: toOpenedCertificate(key) } }
  } catch (error) {
    if (error instanceof SigningKeyError) return { ok: false, reason: FAILURE_OF[error.reason], message: error.message }
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: 'NotPkcs12', message: `The signing key cannot be read: ${why}` }
  }
}

function open(found: FoundKey, now: Date): SigningKey {
  return found.kind === 'P12' ? openP12(asBuffer(found.bytes), found.password, now).key : openPemKey(found.text, now).key
}

/** A signature of the private key is verified by the certificate. */
function signs({ privateKey, certificate }: SigningKey): boolean {
  const sample = randomBytes(32)
  return verify('sha256', sample, new X509Certificate(certificate).publicKey, sign('sha256', sample, privateKey))
}
