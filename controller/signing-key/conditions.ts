// The conditions of an object, in the order of the contract. Each message says what is the matter and what to do. Pure.
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { Mismatch } from '../projection/rollback.ts'
import { type KeyConditionType, keyCondition, type PlainCondition } from '../reasons.ts'
import { certificateValid, loaded, materialAvailable, trusted } from './version-conditions.ts'
import type { SigningKeyObject } from './resource.ts'
import type { Refusal } from './snapshot.ts'
import type { Wait } from './seal-wait.ts'
import { namesOf } from './worker-names.ts'

export interface Facts {
  object: SigningKeyObject
  row?: SigningKeyView | undefined
  refusal?: Refusal | undefined
  mismatch?: Mismatch | undefined
  pending?: string | undefined
  rotationRefusal?: string | undefined
  /** The request that is open. */
  request?: string | undefined
  /** Documents wait although the key is active. */
  wait?: Wait | undefined
  isStoreUnavailable?: boolean | undefined
  /** What the object shows. */
  before: readonly PlainCondition[]
  now: Date
}

const OF_VERSIONS = [materialAvailable, certificateValid, loaded, trusted]

/** All that can be known: nothing is said about versions before a worker has tried one, or of a retired key. What cannot be known without the row stays as it
 *  was. */
export function conditionsOf(facts: Facts): PlainCondition[] {
  const ofVersions = isUnknown(facts)
    ? facts.before.filter(({ type }) => VERSION_TYPES.includes(type))
    : OF_VERSIONS.flatMap((judge) => judge(facts) ?? [])
  const others = [accepted(facts), ...ofVersions, rotationInProgress(facts), synced(facts)]
  return [...others, ready(facts, others)]
}

const VERSION_TYPES: readonly string[] = [
  'MaterialAvailable',
  'CertificateValid',
  'Loaded',
  'Trusted',
] satisfies KeyConditionType[]

function isUnknown({ row, mismatch, isStoreUnavailable }: Facts): boolean {
  return isStoreUnavailable === true || (!row && mismatch !== undefined)
}

function shownBefore(facts: Facts, wanted: KeyConditionType): PlainCondition | undefined {
  if (!isUnknown(facts)) return undefined
  const shown = facts.before.find(({ type }) => type === wanted)
  return shown && { type: wanted, status: shown.status, reason: shown.reason, message: shown.message }
}

function accepted(facts: Facts): PlainCondition {
  const { refusal, row } = facts
  if (!refusal) return shownBefore(facts, 'Accepted') ?? keyCondition('Accepted', 'Accepted', 'The specification is in use.')
  const { reason, message } = refusal
  if (reason === 'AnotherKeyActive') return keyCondition('Accepted', reason, `${message} Until then this key is on standby.`)
  return keyCondition('Accepted', reason, message + (row ? ' What was accepted before stays in use.' : ''))
}

function rotationInProgress(facts: Facts): PlainCondition {
  const type = 'RotationInProgress'
  const earlier = shownBefore(facts, type)
  if (earlier) return earlier
  if (facts.rotationRefusal) return keyCondition(type, 'NoRotation', facts.rotationRefusal)
  const running = runningRotation(facts)
  if (running) return keyCondition(type, 'GracePeriod', running)
  return keyCondition(type, 'NoRotation', noRotation(facts))
}

/** What it waits for; undefined without one. The first version of a key replaces none. */
function runningRotation({ row, pending }: Facts): string | undefined {
  if (!row?.active || row.next?.failure) return undefined
  const { next, loadedBy } = row
  if (!next) return pending === undefined ? undefined : `The next version is being issued. ${pending}`
  const who = loadedBy.missing.length > 0 ? ` Not yet: ${namesOf(loadedBy.missing)}.` : ''
  return `Version ${next.version} is used once every seal worker has loaded it, or after 60 seconds.${who}`
}

/** An open request is quoted: who waits for it learns that it will not be carried out as things are. */
function noRotation({ row, refusal, request }: Facts): string {
  const { next, state = 'RETIRED' } = row ?? {}
  const isStuck = next?.failure || refusal || state === 'RETIRED'
  const open = isStuck && request !== undefined ? ` The request "${request}" is still open.` : ''
  const why = next?.failure ? `Version ${next.version} cannot be used: ${next.failure.message}` : 'No version waits.'
  return why + open
}

function synced({ mismatch, isStoreUnavailable }: Facts): PlainCondition {
  if (isStoreUnavailable) {
    const message = 'The database cannot be reached. Seals wait for it too; nothing to do here.'
    return keyCondition('Synced', 'StoreUnavailable', message)
  }
  if (mismatch) return keyCondition('Synced', mismatch.reason, mismatch.message)
  return keyCondition('Synced', 'Synced', 'Object and database agree.')
}

/** Conditions that Ready follows: a rotation is no failure, and less trust is none unless seals wait for more. */
const COUNTS: readonly string[] = [
  'Accepted',
  'MaterialAvailable',
  'CertificateValid',
  'Loaded',
  'Synced',
] satisfies KeyConditionType[]

function ready({ row, wait }: Facts, others: readonly PlainCondition[]): PlainCondition {
  const failing = others.find(({ type, status }) => COUNTS.includes(type) && status !== 'True')
  if (failing) return { ...failing, type: 'Ready', status: 'False' }
  if (wait) return { type: 'Ready', status: 'False', ...wait }
  if (row?.state === 'RETIRED') return keyCondition('Ready', 'Ready', 'The key is retired. Its seals stay valid.')
  if (row && !row.active) {
    const message = 'No version is in use yet.'
    return { type: 'Ready', status: 'False', reason: 'WaitingForWorkers', message }
  }
  const message = row?.state === 'STANDBY' ? 'The key could seal, and is on standby.' : 'The key can seal.'
  return keyCondition('Ready', 'Ready', message)
}
