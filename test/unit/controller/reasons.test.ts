import { describe, expect, test } from 'vitest'
import {
  type ConditionMeaning,
  EVENT_REASONS,
  type EventReason,
  KEY_CONDITIONS,
  keyCondition,
  WEBHOOK_CONDITIONS,
  webhookCondition,
} from '../../../controller/reasons.ts'

const REASON = /^[A-Z][A-Za-z0-9]*$/
const CONDITIONS: [string, ConditionMeaning][] = [...Object.entries(WEBHOOK_CONDITIONS), ...Object.entries(KEY_CONDITIONS)]

describe('the vocabulary', () => {
  test.each(CONDITIONS)('%s: reasons are words that Kubernetes accepts, with a sentence each', (type, { meaning, reasons }) => {
    expect(type).toMatch(REASON)
    expect(meaning).toMatch(/\.$/)
    for (const [reason, each] of Object.entries(reasons)) {
      expect(reason).toMatch(REASON)
      expect(each.meaning).toMatch(/\.$/)
    }
  })

  test('the conditions are those of the contract, in its order', () => {
    expect(Object.keys(WEBHOOK_CONDITIONS)).toEqual([
      'Accepted',
      'Synced',
      'EndpointHealthy',
      'RotationInProgress',
      'Suspended',
      'Ready',
    ])
    expect(Object.keys(KEY_CONDITIONS)).toEqual([
      'Accepted',
      'MaterialAvailable',
      'CertificateValid',
      'Loaded',
      'Trusted',
      'RotationInProgress',
      'Synced',
      'Ready',
    ])
  })

  test('an Event that needs attention is a Warning', () => {
    const warnings: EventReason[] = ['Refused', 'ChangeReverted', 'AutoDisabled', 'ExpiringSoon', 'Conflict']
    for (const [reason, { type }] of Object.entries(EVENT_REASONS))
      expect(type, reason).toBe(warnings.some((each) => each === reason) ? 'Warning' : 'Normal')
  })
})

describe('a condition', () => {
  test('has the status of its reason', () => {
    expect(webhookCondition('Synced', 'StoreUnavailable', 'No Postgres.')).toEqual({
      type: 'Synced',
      status: 'Unknown',
      reason: 'StoreUnavailable',
      message: 'No Postgres.',
    })
    expect(keyCondition('CertificateValid', 'ExpiringSoon', 'Rotate.').status).toBe('True')
    expect(keyCondition('Trusted', 'SelfSigned', 'Not trusted.').status).toBe('False')
  })
})
