// What one installation key does: a key per purpose, derived by HKDF (RFC 5869), so that no key can be used in place of another.
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { ChallengeId, PersonId, SignatureId } from '#core/ids.ts'
import { openBox, sealBox } from './secret-box.ts'

/** Length of the installation key in bytes. */
export const INSTALLATION_KEY_BYTES = 32

/** For `writeRetired`. */
export interface RetiredSecrets {
  auditKey: Buffer
  verificationKey: Buffer
  storeMark: Buffer
}

/** The operations with one installation key; the key itself is not exposed. */
export interface KeySet {
  /** Encrypts a secret for the database; `context` binds it to its row. */
  seal(plain: string, context: string): Buffer
  /** Decrypts what `seal` encrypted with the same context; throws when it was altered or belongs elsewhere. */
  open(box: Buffer, context: string): string
  /** HMAC of a one-time code, bound to its challenge. */
  otpDigest(challengeId: ChallengeId, code: string): Buffer
  /** The verification code printed in a seal: 16 bytes of an HMAC over the signature's id, base64url. */
  verificationCode(signatureId: SignatureId): string
  /** The CSRF token of a panel session: base64url of an HMAC over the session token's hash. */
  csrfToken(sessionTokenHash: Buffer): string
  /** Proves that the browser with this nonce has signed this person in before: base64url of an HMAC over both. */
  deviceProof(personId: PersonId, nonce: string): string
  /** The key of a counter of failed sign-ins: an HMAC, so that the table holds no account names and no addresses. */
  signInSubject(subject: string): Buffer
  /** HMAC of a request's content, to detect a different request with the same Idempotency-Key. */
  requestFingerprint(content: string): Buffer
  /** HMAC of an audit statement, so that only this installation can have written it. */
  auditMac(statement: string): Buffer
  /** Identifies this key without revealing it: an HMAC over its purpose alone. */
  proof: Buffer
  /** Identifies the installation's object store without revealing the key. */
  storeMark: Buffer
  /** The key of the file store's presigned URLs. */
  presign: KeyObject
  /** What has to be kept of this key for ever once another one is in use. */
  retire(): RetiredSecrets
}

/** Derives the key of every purpose. Throws when the secret is not 32 bytes. */
export function deriveKeySet(secret: Buffer): KeySet {
  if (secret.length !== INSTALLATION_KEY_BYTES) throw new Error('The installation key must be 32 bytes.')
  // As key objects: passing a key as bytes costs five times the HMAC itself.
  const derive = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `sealwright ${purpose} v1`, 32)))
  const boxKey = derive('secret box')
  const otpKey = derive('one-time code')
  const verificationKey = derive('verification code')
  const auditKey = derive('audit trail')
  const csrfKey = derive('csrf token')
  const fingerprintKey = derive('request fingerprint')
  const deviceKey = derive('known device')
  const signInKey = derive('sign-in subject')
  const storeMark = createHmac('sha256', derive('object store')).update('sealwright').digest()
  return {
    seal: (plain, context) => sealBox(boxKey, plain, context),
    open: (box, context) => openBox(boxKey, box, context),
    otpDigest: (challengeId, code) => createHmac('sha256', otpKey).update(`${challengeId} ${code}`).digest(),
    verificationCode: (signatureId) => verificationCodeOf(verificationKey, signatureId),
    csrfToken: (sessionTokenHash) => createHmac('sha256', csrfKey).update(sessionTokenHash).digest('base64url'),
    deviceProof: (personId, nonce) => createHmac('sha256', deviceKey).update(`${personId} ${nonce}`).digest('base64url'),
    signInSubject: (subject) => createHmac('sha256', signInKey).update(subject).digest(),
    requestFingerprint: (content) => createHmac('sha256', fingerprintKey).update(content).digest(),
    auditMac: (statement) => createHmac('sha256', auditKey).update(statement).digest(),
    proof: createHmac('sha256', derive('key proof')).update('sealwright').digest(),
    storeMark,
    presign: derive('presigned url'),
    retire: () => ({ auditKey: auditKey.export(), verificationKey: verificationKey.export(), storeMark }),
  }
}

export function verificationCodeOf(key: KeyObject, signatureId: SignatureId): string {
  return createHmac('sha256', key).update(signatureId).digest().subarray(0, 16).toString('base64url')
}
