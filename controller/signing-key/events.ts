// Which Events a change of the status is worth: transitions only. Pure.
import type { KeyConditionType } from '../reasons.ts'
import { conditionOf, eventsBy, type EventRule, type NewEvent, onFailure, onStatus } from '../resource/event-rules.ts'
import type { SigningKeyStatus } from './resource.ts'

type Status = SigningKeyStatus
type Rule = EventRule<Status>

/** Lists the events of a change of status, in the order in which a rotation happens. */
export function eventsOf(before: Status, after: Status): NewEvent[] {
  return eventsBy(RULES, before, after)
}

/** The material or the certificate of a version cannot be used; waiting for an issuer is no refusal. */
function faulty(type: 'MaterialAvailable' | 'CertificateValid'): Rule {
  const rule = onFailure<Status>(type, 'Refused', 'Refuse')
  return (before, after) => (of(after, type)?.reason === 'CertificatePending' ? undefined : rule(before, after))
}

const rotationStarted: Rule = (before, after) => {
  const now = of(after, 'RotationInProgress')
  if (now?.status !== 'True') return undefined
  const isSame = of(before, 'RotationInProgress')?.status === 'True' && before.next?.version === after.next?.version
  return isSame ? undefined : { reason: 'RotationStarted', action: 'Rotate', note: now.message }
}

const keyLoaded: Rule = (before, after) => {
  const now = of(after, 'Loaded')
  if (now?.status !== 'True') return undefined
  const isSame = of(before, 'Loaded')?.message === now.message
  return isSame ? undefined : { reason: 'KeyLoaded', action: 'Load', note: now.message }
}

const keyActivated: Rule = ({ active: before }, { active: after }) => {
  if (!after || after.version === before?.version) return undefined
  return { reason: 'KeyActivated', action: 'Activate', note: `Version ${after.version} is in use from now on.` }
}

const keyRetired: Rule = ({ active: before }, { active: after }) => {
  if (!before || before.version === after?.version) return undefined
  const note = `Version ${before.version} is not used any more. Its seals stay valid.`
  return { reason: 'KeyRetired', action: 'Retire', note }
}

const rotationFinished: Rule = ({ active: before }, { active: after }) => {
  if (!before || !after || before.version === after.version) return undefined
  const note = `Version ${after.version} has replaced version ${before.version}.`
  return { reason: 'RotationFinished', action: 'Rotate', note }
}

const expiringSoon: Rule = (before, after) => {
  const now = of(after, 'CertificateValid')
  const isNew = now?.reason === 'ExpiringSoon' && of(before, 'CertificateValid')?.reason !== now.reason
  return isNew ? { reason: 'ExpiringSoon', action: 'Check', note: now.message } : undefined
}

const RULES: readonly Rule[] = [
  onStatus<Status>('Accepted', 'True', 'Accepted', 'Accept'),
  onFailure<Status>('Accepted', 'Refused', 'Refuse'),
  faulty('MaterialAvailable'),
  faulty('CertificateValid'),
  onFailure<Status>('Synced', 'Conflict', 'Synchronise'),
  rotationStarted,
  keyLoaded,
  keyActivated,
  keyRetired,
  rotationFinished,
  expiringSoon,
]

function of(status: Status, type: KeyConditionType) {
  return conditionOf(status, type)
}
