// What is said about the versions of a key: those that a worker has tried. Pure.
import type { KeyCertificate, KeyVersionView, LoadFailure, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { type KeyReason, keyCondition, type PlainCondition } from '../reasons.ts'
import { secondTime } from '../runtime/wire-time.ts'
import { namesOf } from './worker-names.ts'

interface Facts {
  row?: SigningKeyView | undefined
  pending?: string | undefined
  now: Date
}

/** The reasons for which nothing could be read. The others are about the certificate. */
const UNREADABLE: Partial<Record<LoadFailure, KeyReason<'MaterialAvailable'>>> = {
  SecretMissing: 'SecretMissing',
  WrongPassword: 'WrongPassword',
  NotPkcs12: 'NotPkcs12',
  NoPrivateKey: 'NoPrivateKey',
  KeyTooWeak: 'KeyTooWeak',
  // What the version was made from is not there any more.
  MaterialChanged: 'SecretMissing',
  Unavailable: 'SecretMissing',
}

const EXPIRING_MS = 30 * 86_400_000

export function materialAvailable({ row, pending }: Facts): PlainCondition | undefined {
  if (pending !== undefined) return keyCondition('MaterialAvailable', 'CertificatePending', pending + staysInUse(row))
  if (!row || row.state === 'RETIRED') return undefined
  const failure = failureOf(row, Object.keys(UNREADABLE))
  if (failure) return keyCondition('MaterialAvailable', UNREADABLE[failure.reason] ?? 'NotPkcs12', failure.message)
  const tried = triedVersion(row)
  return tried && keyCondition('MaterialAvailable', 'Available', `Version ${tried.version} can be read.`)
}

export function certificateValid({ row, now }: Facts): PlainCondition | undefined {
  if (!row || row.state === 'RETIRED') return undefined
  const failure = failureOf(row, ['Expired', 'NotYetValid'])
  if (failure) return keyCondition('CertificateValid', failure.reason === 'Expired' ? 'Expired' : 'NotYetValid', failure.message)
  const judged = openedVersion(row)
  return judged?.certificate ? validityOf(judged.version, judged.certificate, now) : undefined
}

/** Why the next version cannot be used, if it is for one of these reasons. */
function failureOf(row: SigningKeyView, reasons: readonly string[]): { reason: LoadFailure; message: string } | undefined {
  const { next } = row
  if (!next?.failure || !reasons.includes(next.failure.reason)) return undefined
  return { reason: next.failure.reason, message: `Version ${next.version}: ${next.failure.message}${staysInUse(row)}` }
}

/** The newest version that a worker has tried. */
function triedVersion({ next, active }: SigningKeyView): KeyVersionView | undefined {
  return next?.certificate || next?.failure ? next : active
}

/** The newest version whose certificate is known and that is, or will be, in use. */
function openedVersion({ next, active }: SigningKeyView): KeyVersionView | undefined {
  return next?.certificate ? next : active
}

function validityOf(version: number, { notBefore, notAfter }: KeyCertificate, now: Date): PlainCondition {
  const type = 'CertificateValid'
  const subject = `The certificate of version ${version}`
  const [from, until] = [secondTime(notBefore), secondTime(notAfter)]
  if (now < notBefore) return keyCondition(type, 'NotYetValid', `${subject} is not valid before ${from}.`)
  if (now > notAfter) return keyCondition(type, 'Expired', `${subject} expired at ${until}. Rotate the key.`)
  const isSoon = notAfter.getTime() - now.getTime() <= EXPIRING_MS
  if (isSoon) return keyCondition(type, 'ExpiringSoon', `${subject} expires at ${until}. Rotate the key before.`)
  return keyCondition(type, 'Valid', `${subject} is valid until ${until}.`)
}

export function loaded({ row }: Facts): PlainCondition | undefined {
  const version = row?.next ?? row?.active
  if (!row || !version || row.state === 'RETIRED') return undefined
  const { live, missing } = row.loadedBy
  if (live === 0) return keyCondition('Loaded', 'WaitingForWorkers', 'No seal worker is running.')
  if (missing.length === 0)
    return keyCondition('Loaded', 'AllWorkers', `Every seal worker has loaded version ${version.version}.`)
  const message = `Version ${version.version} is not loaded by: ${namesOf(missing)}.${whyNot(version)}`
  return keyCondition('Loaded', 'WaitingForWorkers', message)
}

/** Failure of the active version; for a pending version, see MaterialAvailable and CertificateValid. */
function whyNot({ state, failure }: KeyVersionView): string {
  return state === 'ACTIVE' && failure ? ` ${failure.message}` : ''
}

export function trusted({ row }: Facts): PlainCondition | undefined {
  if (!row || row.state === 'RETIRED') return undefined
  const judged = openedVersion(row)
  if (!judged?.certificate) return undefined
  const { isSelfSigned, isChainComplete } = judged.certificate
  if (judged.selfMade || isSelfSigned)
    return keyCondition('Trusted', 'SelfSigned', 'The certificate is self-signed: PDF readers do not trust its seals.')
  if (isChainComplete) return keyCondition('Trusted', 'ChainComplete', 'The key comes with its chain up to a root.')
  const message = 'The chain ends before a root. Add the certificates of the issuers to the file or Secret.'
  return keyCondition('Trusted', 'ChainIncomplete', message)
}

/** A faulty version never replaces one that is in use. */
function staysInUse(row: SigningKeyView | undefined): string {
  return row?.active ? ` Version ${row.active.version} stays in use.` : ''
}
