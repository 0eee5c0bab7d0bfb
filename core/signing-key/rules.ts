// Which version seals for an organisation, and when a rotation continues.

/** INSTALLATION: the installation's own key; exactly one. The others name where a key of Kubernetes or of an import comes from. */
export type ProviderType = 'INSTALLATION' | 'PKCS12' | 'SELF_SIGNED' | 'CERT_MANAGER'

/** Why a worker cannot use a version. */
export type LoadFailure =
  | 'SecretMissing'
  | 'WrongPassword'
  | 'NotPkcs12'
  | 'NoPrivateKey'
  | 'KeyTooWeak'
  | 'Expired'
  | 'NotYetValid'
  // The Secret now contains another key than the version was opened with, or the stored key was altered.
  | 'MaterialChanged'
  // The worker could not reach the Kubernetes API, or does not have the key file.
  | 'Unavailable'

/** Why an organisation's documents wait for a key. */
export type WaitReason = 'NoActiveKey' | 'Compromised' | 'LessTrust'

/** What seals for an organisation now. */
export type KeyChoice = { waits: false; version: ChosenVersion } | { waits: true; reason: WaitReason; message: string }

export interface ChosenVersion {
  keyId: string
  version: number
  fingerprint: string
}

/** The active version of an active key, of the organisation or of the whole installation. */
export interface SealCandidate {
  keyId: string
  orgId: string | null
  providerType: ProviderType
  compromisedSince: Date | null
  version: number
  fingerprint: string
  selfMade: boolean
  activatedAt: Date
}

/** The organisation's key, else the installation-wide one, else the installation's own. It never seals with a compromised key, nor with a self-signed certificate
 *  that was already there when a key with a certificate of an issuer was last in use (`trustedUntil`). */
export function chooseVersion(
  candidates: readonly SealCandidate[],
  { now, trustedUntil }: { now: Date; trustedUntil: Date | null },
): KeyChoice {
  const [chosen] = candidates.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (!chosen) return { waits: true, reason: 'NoActiveKey', message: 'No signing key is active yet.' }
  const { keyId, version, fingerprint } = chosen
  if (chosen.compromisedSince && chosen.compromisedSince <= now)
    return {
      waits: true,
      reason: 'Compromised',
      message: `The signing key ${keyId} is marked as compromised; rotate or retire it.`,
    }
  if (chosen.selfMade && trustedUntil && chosen.activatedAt <= trustedUntil)
    return {
      waits: true,
      reason: 'LessTrust',
      message:
        'Only a self-signed key is left, which is trusted less than the one before. Import a key, or accept it with: sealwright key rotate',
    }
  return { waits: false, version: { keyId, version, fingerprint } }
}

function rankOf({ orgId, providerType }: SealCandidate): number {
  if (orgId !== null) return 0
  return providerType === 'INSTALLATION' ? 2 : 1
}

/** After this time a rotation does not wait for the other workers any more. */
export const ROTATION_DEADLINE_SECONDS = 60

/** A worker that was seen lately, and what it did with the two versions of a rotation. */
export interface RotationWorker {
  name: string
  hasActive: boolean
  /** Outcome for the next version; null before the worker has tried. */
  outcome: 'LOADED' | 'FAILED' | null
  reason: LoadFailure | null
  message: string | null
}

export type RotationStep =
  | { kind: 'wait' }
  /** `missing`: the names of live workers that have not loaded it. */
  | { kind: 'flip'; missing: string[] }
  | { kind: 'fail'; reason: LoadFailure; message: string }
  /** It had failed, and now no worker reports a failure. */
  | { kind: 'recover' }

/** What a rotation does next. Faulty material never becomes active; otherwise it waits for every live worker, until its deadline. */
export function nextRotationStep({
  hasFailed,
  hasActive,
  announcedSeconds,
  workers,
}: {
  hasFailed: boolean
  /** Another version of the key is active. */
  hasActive: boolean
  announcedSeconds: number
  workers: readonly RotationWorker[]
}): RotationStep {
  const faulty = faultOf(workers)
  if (faulty) return faulty
  const missing = workers.filter(({ outcome }) => outcome !== 'LOADED').map(({ name }) => name)
  const isLoaded = missing.length < workers.length
  const isActiveUnloaded = hasActive && !workers.some((worker) => worker.hasActive)
  if (isLoaded && (missing.length === 0 || isActiveUnloaded || announcedSeconds >= ROTATION_DEADLINE_SECONDS))
    return { kind: 'flip', missing }
  return hasFailed && isLoaded ? { kind: 'recover' } : { kind: 'wait' }
}

function faultOf(workers: readonly RotationWorker[]): RotationStep | undefined {
  const faulty = workers.find(({ outcome, reason }) => outcome === 'FAILED' && reason !== 'Unavailable')
  return faulty && { kind: 'fail', reason: faulty.reason ?? 'NotPkcs12', message: faulty.message ?? '' }
}

export interface Schedule {
  /** Null: only before the certificate ends. */
  everySeconds: number | null
  /** Null: a third of the certificate's life. */
  beforeEndSeconds?: number | null
}

/** When a key that is rotated on a schedule gets its next version: some time before its certificate ends, or earlier by the schedule. */
export function renewalTime(
  active: { activatedAt: Date; notBefore: Date; notAfter: Date },
  { everySeconds, beforeEndSeconds = null }: Schedule,
): Date {
  const life = active.notAfter.getTime() - active.notBefore.getTime()
  const beforeEnd = active.notAfter.getTime() - (beforeEndSeconds === null ? life / 3 : beforeEndSeconds * 1000)
  const scheduled = everySeconds === null ? Infinity : active.activatedAt.getTime() + everySeconds * 1000
  return new Date(Math.min(beforeEnd, scheduled))
}
