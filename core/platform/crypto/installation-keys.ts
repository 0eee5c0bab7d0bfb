// The keys of the installation: one writes, and while it is being replaced a second one reads too. What earlier keys have written for ever is verified with
// what is kept of them.
import { type KeyObject, timingSafeEqual } from 'node:crypto'
import type { ChallengeId, PersonId, SignatureId } from '#core/ids.ts'
import { isInstallationKey } from '#core/platform/config/forms.ts'
import { deriveKeySet, type KeySet } from './key-set.ts'
import { readRetired, retiredContext, type RetiredKey } from './retired-key.ts'

/** What the database says about keys. */
export interface KeyState {
  /** Proof of the key that writes. */
  proof: Buffer
  retired: readonly { proof: Buffer; box: Buffer }[]
}

/** The operations with the installation's keys. Everything is written with the one that the database names; comparisons take constant time. */
export interface InstallationKeys extends Omit<KeySet, 'retire'> {
  isOtpDigest(digest: Buffer, challengeId: ChallengeId, code: string): boolean
  isVerificationCode(code: string, signatureId: SignatureId): boolean
  isCsrfToken(token: string, sessionTokenHash: Buffer): boolean
  isDeviceProof(proof: string, personId: PersonId, nonce: string): boolean
  isRequestFingerprint(fingerprint: Buffer, content: string): boolean
  /** Whether the MAC is that of a head, which a rotation signs again: a retired key proves nothing about it. */
  isHeadMac(mac: Buffer, statement: string): boolean
  /** Whether the MAC is that of a row, which never changes. */
  isRowMac(mac: Buffer, statement: string): boolean
  isStoreMark(mark: Buffer): boolean
  /** Keys of this process's settings: URLs that were presigned before a rotation stay valid. */
  presignKeys: readonly KeyObject[]
  /** Writes with the key that the database names from now on; false, and no change, when it is none of ours. */
  use(state: KeyState): boolean
}

/** Parses the installation key from the text read in `where`. Throws one sentence when it is invalid. */
export function readInstallationKey(text: string, where: string): Buffer {
  if (!isInstallationKey(text.trim())) throw new Error(`${where} does not contain an installation key (32 bytes in base64).`)
  return Buffer.from(text, 'base64')
}

/** `previous`: the key that is being replaced. Until `use`, `secret` writes. Throws when one is not 32 bytes. */
export function deriveInstallationKeys(secret: Buffer, previous?: Buffer): InstallationKeys {
  const given = previous ? [deriveKeySet(secret), deriveKeySet(previous)] : [deriveKeySet(secret)]
  let [writer = deriveKeySet(secret)] = given
  let readers: readonly KeySet[] = given
  let retired: readonly RetiredKey[] = []
  const some = <Key>(keys: readonly Key[], matches: (key: Key) => boolean): boolean => keys.filter(matches).length > 0
  return {
    seal: (plain, context) => writer.seal(plain, context),
    open: (box, context) => openWithOne(readers, box, context),
    otpDigest: (challengeId, code) => writer.otpDigest(challengeId, code),
    verificationCode: (signatureId) => writer.verificationCode(signatureId),
    csrfToken: (sessionTokenHash) => writer.csrfToken(sessionTokenHash),
    deviceProof: (personId, nonce) => writer.deviceProof(personId, nonce),
    signInSubject: (subject) => writer.signInSubject(subject),
    requestFingerprint: (content) => writer.requestFingerprint(content),
    auditMac: (statement) => writer.auditMac(statement),
    get proof() {
      return writer.proof
    },
    get storeMark() {
      return writer.storeMark
    },
    isOtpDigest: (digest, challengeId, code) => some(readers, (key) => equalSecrets(digest, key.otpDigest(challengeId, code))),
    isVerificationCode: (code, signatureId) =>
      some([...readers, ...retired], (key) => equalTexts(code, key.verificationCode(signatureId))),
    isCsrfToken: (token, sessionTokenHash) => some(readers, (key) => equalTexts(token, key.csrfToken(sessionTokenHash))),
    isDeviceProof: (proof, personId, nonce) => some(readers, (key) => equalTexts(proof, key.deviceProof(personId, nonce))),
    isRequestFingerprint: (fingerprint, content) =>
      some(readers, (key) => equalSecrets(fingerprint, key.requestFingerprint(content))),
    isHeadMac: (mac, statement) => isMac(readers, mac, statement),
    isRowMac: (mac, statement) => isMac(readers, mac, statement) || isMac(retired, mac, statement),
    isStoreMark: (mark) => some([...readers, ...retired], (key) => equalSecrets(mark, key.storeMark)),
    presign: given[0]?.presign ?? writer.presign,
    presignKeys: given.map(({ presign }) => presign),
    use(state) {
      const named = given.find(({ proof }) => equalSecrets(proof, state.proof))
      if (!named) return false
      writer = named
      // First the one that wrote almost everything.
      readers = [named, ...given.filter((key) => key !== named)]
      retired = state.retired.map(({ proof, box }) => readRetired(openWithOne(readers, box, retiredContext(proof))))
      return true
    },
  }
}

/** The first key writes almost everything, so it is tried first. Throws its error when none fits. */
function openWithOne(keys: readonly KeySet[], box: Buffer, context: string): string {
  let first: unknown
  for (const key of keys) {
    try {
      return key.open(box, context)
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

/** Tries the keys in order, because an audit trail has many rows: which key it was is no secret. */
function isMac(keys: readonly Pick<KeySet, 'auditMac'>[], mac: Buffer, statement: string): boolean {
  return keys.some((key) => equalSecrets(mac, key.auditMac(statement)))
}

function equalTexts(left: string, right: string): boolean {
  return equalSecrets(Buffer.from(left), Buffer.from(right))
}

/** Compares two secrets in constant time; texts of different length are unequal. */
export function equalSecrets(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}
