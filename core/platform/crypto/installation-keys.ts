// One secret of the installation, many purposes: each gets its own key by HKDF (RFC 5869), so that none can stand in for another.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { ChallengeId, PersonId, SignatureId } from '#core/ids.ts'
import { isInstallationKey } from '#core/platform/config/forms.ts'
import { openBox, sealBox } from './secret-box.ts'

/** Length of the installation key in bytes. */
export const INSTALLATION_KEY_BYTES = 32

/** What can be done with the installation key, without handing it out. */
export interface InstallationKeys {
  /** Encrypts a secret for the database; `context` binds it to its row. */
  seal(plain: string, context: string): Buffer
  /** Opens what `seal` made with the same context; throws when it was altered or belongs elsewhere. */
  open(box: Buffer, context: string): string
  /** HMAC of a one-time code, bound to its challenge. */
  otpDigest(challengeId: ChallengeId, code: string): Buffer
  /** The verification code printed in a seal: 16 bytes of an HMAC over the signature's id, base64url. */
  verificationCode(signatureId: SignatureId): string
  /** The CSRF token of a session of the panel, bound to it: base64url of an HMAC over the session token's hash. */
  csrfToken(sessionTokenHash: Buffer): string
  /** Proves that the browser with this nonce has signed this person in before: base64url of an HMAC over both. */
  deviceProof(personId: PersonId, nonce: string): string
  /** What a counter of failed sign-ins is filed under: an HMAC, so that the table names no account and no address. */
  signInSubject(subject: string): Buffer
  /** HMAC of what a request says, to tell another request under the same Idempotency-Key. */
  requestFingerprint(content: string): Buffer
  /** HMAC of what the audit trail states, so that only this installation can have written it. */
  auditMac(statement: string): Buffer
  /** Tells this key from every other, and tells nothing of it: an HMAC over nothing but its purpose. */
  proof: Buffer
  /** Marks the object store of the installation; tells nothing of the key. */
  storeMark: Buffer
  /** Key of the file store's presigned URLs. */
  presign: KeyObject
}

/** The installation key as text, from `where`. Throws one sentence when it is none. */
export function readInstallationKey(text: string, where: string): Buffer {
  if (!isInstallationKey(text.trim())) throw new Error(`${where} does not contain an installation key (32 bytes in base64).`)
  return Buffer.from(text, 'base64')
}

/** Derives the keys of every purpose. Throws when the secret is not 32 bytes. */
export function deriveInstallationKeys(secret: Buffer): InstallationKeys {
  if (secret.length !== INSTALLATION_KEY_BYTES) throw new Error('The installation key must be 32 bytes.')
  // As key objects: handed over as bytes, a key costs five times the HMAC that is made with it.
  const derive = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `sealwright ${purpose} v1`, 32)))
  const boxKey = derive('secret box')
  const otpKey = derive('one-time code')
  const verificationKey = derive('verification code')
  const auditKey = derive('audit trail')
  const csrfKey = derive('csrf token')
  const fingerprintKey = derive('request fingerprint')
  const deviceKey = derive('known device')
  const signInKey = derive('sign-in subject')
  return {
    seal: (plain, context) => sealBox(boxKey, plain, context),
    open: (box, context) => openBox(boxKey, box, context),
    otpDigest: (challengeId, code) => createHmac('sha256', otpKey).update(`${challengeId} ${code}`).digest(),
    verificationCode: (signatureId) =>
      createHmac('sha256', verificationKey).update(signatureId).digest().subarray(0, 16).toString('base64url'),
    csrfToken: (sessionTokenHash) => createHmac('sha256', csrfKey).update(sessionTokenHash).digest('base64url'),
    deviceProof: (personId, nonce) => createHmac('sha256', deviceKey).update(`${personId} ${nonce}`).digest('base64url'),
    signInSubject: (subject) => createHmac('sha256', signInKey).update(subject).digest(),
    requestFingerprint: (content) => createHmac('sha256', fingerprintKey).update(content).digest(),
    auditMac: (statement) => createHmac('sha256', auditKey).update(statement).digest(),
    proof: createHmac('sha256', derive('key proof')).update('sealwright').digest(),
    storeMark: createHmac('sha256', derive('object store')).update('sealwright').digest(),
    presign: derive('presigned url'),
  }
}

/** Compares two secrets without telling by time where they differ; texts of other length are unequal. */
export function equalSecrets(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}
