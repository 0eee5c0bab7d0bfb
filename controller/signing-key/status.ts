// The status of an object, from what the reconcile found. Pure.
import type { KeyCertificate, KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { withTimes } from '../resource/shown-status.ts'
import { secondTime } from '../runtime/wire-time.ts'
import { conditionsOf, type Facts } from './conditions.ts'
import type { Plan } from './effect.ts'
import { nextRenewal, openRequest } from './next-version.ts'
import type { SigningKeyObject, SigningKeyStatus } from './resource.ts'
import { waitOf } from './seal-wait.ts'
import type { Snapshot } from './snapshot.ts'

const LONGEST_NAME = 1024
const SHOWN_STATES = { ANNOUNCED: 'Announced', ACTIVE: 'Active', RETIRED: 'Retired', FAILED: 'Failed' } as const

/** The status after a plan without effects. While object and row disagree, what was seen of the row stays as it was: it shows what was lost. */
export function statusOf(snapshot: Snapshot, { refusal, mismatch, pending, rotationRefusal }: Plan): SigningKeyStatus {
  const { object, row, now } = snapshot
  if (!object) return {}
  const before = object.status ?? {}
  const request = row ? openRequest(object, row) : object.spec.rotation?.request
  const wait = row && waitOf(row, now)
  const facts = { object, row, refusal, mismatch, pending, rotationRefusal, request, wait }
  const shown = withConditions(object, { ...facts, before: before.conditions ?? [], now })
  if (mismatch?.reason === 'StoreRolledBack') return { ...before, ...shown }
  return row ? { ...shown, ...ofRow(object, row) } : shown
}

/** The status while Postgres cannot be reached: only Synced and Ready change. */
export function unavailableStatus(object: SigningKeyObject, now: Date): SigningKeyStatus {
  const before = object.status ?? {}
  const facts = { object, isStoreUnavailable: true, before: before.conditions ?? [], now }
  return { ...before, ...withConditions(object, facts) }
}

function withConditions(object: SigningKeyObject, facts: Facts): Pick<SigningKeyStatus, 'observedGeneration' | 'conditions'> {
  const observedGeneration = object.metadata.generation ?? 0
  const conditions = withTimes(object.status ?? {}, conditionsOf(facts), observedGeneration, facts.now)
  return { observedGeneration, conditions }
}

function ofRow(object: SigningKeyObject, row: SigningKeyView): SigningKeyStatus {
  const { id, rowVersion, active, next, versions, handledRequest, loadedBy } = row
  const renewal = nextRenewal(object, row)
  return {
    keyId: id,
    rowVersion,
    ...(active && { active: describe(active) }),
    ...(next && { next: describe(next) }),
    versions: versions.map(summarise),
    ...(handledRequest !== null && { handledRequest }),
    loadedBy: `${loadedBy.loaded}/${loadedBy.live}`,
    ...(renewal && { renewalTime: secondTime(renewal) }),
  }
}

function describe({ version, certificate }: KeyVersionView): NonNullable<SigningKeyStatus['active']> {
  return { version, ...(certificate && describeCertificate(certificate)) }
}

function describeCertificate({ fingerprint, subject, issuer, serial, notBefore, notAfter }: KeyCertificate) {
  return {
    fingerprint,
    subject: subject.slice(0, LONGEST_NAME),
    issuer: issuer.slice(0, LONGEST_NAME),
    serial,
    notBefore: secondTime(notBefore),
    notAfter: secondTime(notAfter),
  }
}

function summarise({ version, state, certificate }: KeyVersionView): NonNullable<SigningKeyStatus['versions']>[number] {
  const { fingerprint, notAfter } = certificate ?? {}
  return {
    version,
    state: SHOWN_STATES[state],
    ...(fingerprint !== undefined && { fingerprint }),
    ...(notAfter && { notAfter: secondTime(notAfter) }),
  }
}
