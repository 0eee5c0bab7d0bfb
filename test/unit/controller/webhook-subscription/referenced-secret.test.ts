import { describe, expect, it, test } from 'vitest'
import type { ReferenceAnswer } from '#core/webhook/mirror/secret-reference.ts'
import {
  referenceOf,
  secretRefusal,
  secretSourceOf,
  referencedSecretOf,
} from '../../../../controller/webhook-subscription/referenced-secret.ts'
import { aManagedObject, aManagedRow, SECRET_NAME } from '../../../support/builders/subscriptions.ts'

const shown = { secret: { revision: 1, secretName: SECRET_NAME } }
const naming = aManagedObject({ spec: { secretRef: { name: 'given' }, rotation: { request: 'r1' } }, status: shown })
const reference = { namespace: 'sealwright', name: 'given', key: 'secret', rotationRequest: 'r1' }

describe('the Secret to read', () => {
  test('is the one that the object names', () => {
    expect(referenceOf(naming, undefined)).toEqual(reference)
    const withKey = aManagedObject({ spec: { secretRef: { name: 'given', key: 'other' } } })
    expect(referenceOf(withKey, aManagedRow())).toEqual({ ...reference, key: 'other', rotationRequest: null })
  })

  test('is the one of a row that was lost, and none otherwise', () => {
    const object = aManagedObject({ status: shown })
    expect(referenceOf(object, undefined)).toMatchObject({ name: SECRET_NAME, key: 'secret' })
    expect(referenceOf(object, aManagedRow())).toBeUndefined()
    expect(referenceOf(aManagedObject(), undefined)).toBeUndefined()
  })
})

describe('the answer of a worker', () => {
  const answered = (answer: ReferenceAnswer) => referencedSecretOf(reference, { ...reference, answer })

  it('is requested for every other Secret, key and rotation', () => {
    const notRequested = { kind: 'NOT_REQUESTED', reference }
    expect(referencedSecretOf(reference, undefined)).toEqual(notRequested)
    const answer: ReferenceAnswer = { kind: 'READ', isGiven: true }
    for (const change of [{ name: 'other' }, { key: 'other' }, { namespace: 'other' }, { rotationRequest: 'r0' }])
      expect(referencedSecretOf(reference, { ...reference, ...change, answer })).toEqual(notRequested)
  })

  it('is awaited for ten seconds; then no worker can read Secrets', () => {
    expect(answered({ kind: 'WAITING', forMs: 9_000 })).toEqual({ kind: 'WAITING', forMs: 1_000 })
    const message = expect.stringContaining('No worker has read the Secret sealwright/given')
    expect(answered({ kind: 'WAITING', forMs: 10_000 })).toEqual({ kind: 'UNREACHABLE', message })
  })

  const kept = aManagedObject({ status: shown })
  test.each([
    ['MISSING', 'SecretMissing', undefined],
    ['UNUSABLE', 'SecretUnusable', undefined],
    ['UNAVAILABLE', 'SecretMissing', 'SecretMissing'],
  ] as const)('%s refuses an object that names the Secret: %s; one whose row was lost: %s', (failure, named, lost) => {
    const referenced = answered({ kind: 'FAILED', failure, message: 'Why.' })
    expect(secretRefusal(naming, referenced)).toEqual({ reason: named, message: 'Why.' })
    expect(secretRefusal(kept, referenced)?.reason).toBe(lost)
  })

  it('decides where the secret comes from', () => {
    const read = answered({ kind: 'READ', isGiven: false })
    expect(read).toEqual({ kind: 'READ', isGiven: false })
    expect(secretSourceOf(naming, read)).toBe('GIVEN')
    expect(secretSourceOf(kept, read)).toBe('KEPT')
    expect(secretSourceOf(kept, { kind: 'MISSING', message: 'Why.' })).toBe('GENERATED')
  })
})
