import { describe, expect, it } from 'vitest'
import { plan } from '../../../../controller/signing-key/plan.ts'
import { aKeyObject, aKeyRow, aKeySnapshot, ID } from '../../../support/builders/key-objects.ts'
import { type Case, judge } from '../../../support/builders/key-plans.ts'

const RESOLVE = 'sealwright.io/resolve'

describe('after a restore', () => {
  const shown = { rowVersion: 9, keyId: ID }
  const ahead = aKeyObject({ status: shown })
  const decided = (choice: string, change = {}) =>
    aKeyObject({ status: shown, annotations: { [RESOLVE]: choice }, generation: 2, spec: { state: 'Standby' }, ...change })
  const cases: Case[] = [
    { name: 'of the database nothing is written', snapshot: { object: ahead, row: aKeyRow() }, problem: 'StoreRolledBack' },
    { name: 'of the database a lost key is not replaced', snapshot: { object: ahead }, problem: 'StoreRolledBack' },
    {
      name: 'of the cluster nothing is written',
      snapshot: { object: aKeyObject(), row: aKeyRow({ object: { ...aKeyRow().object!, generation: 3 } }) },
      problem: 'StoreRolledBack',
    },
    { name: 'the object decides', snapshot: { object: decided('from-object'), row: aKeyRow() }, effects: ['apply-managed'] },
    { name: 'the row decides', snapshot: { object: decided('from-row'), row: aKeyRow() }, effects: ['write-spec'] },
    {
      name: 'the decision is removed when it is carried out',
      snapshot: { object: aKeyObject({ annotations: { [RESOLVE]: 'from-row' } }), row: aKeyRow() },
      effects: ['remove-annotation'],
    },
  ]
  cases.forEach(judge)

  it('the row gives its state and its Secret', () => {
    const provider = { type: 'PKCS12', pkcs12: { secretRef: { name: 'seal-2027' } } } as const
    const object = decided('from-row', { spec: { state: 'Standby', provider, rotation: { request: 'r2' } } })
    expect(plan(aKeySnapshot({ object, row: aKeyRow() })).effects).toEqual([
      {
        do: 'write-spec',
        resourceVersion: '7',
        spec: {
          state: 'Active',
          compromisedSince: null,
          rotation: { request: null },
          provider: { pkcs12: { secretRef: { name: 'seal-2026', key: 'tls.p12', passwordKey: 'password' } } },
        },
      },
    ])
  })
})
