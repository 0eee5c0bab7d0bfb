import { describe, expect, it } from 'vitest'
import { plan } from '../../../../controller/webhook-subscription/plan.ts'
import { judge, type PlanCase } from '../../../support/builders/plan-cases.ts'
import { aProjectedObject, aRow, aSecret, aSnapshot, ID, ORG } from '../../../support/builders/subscriptions.ts'

describe('an object created in the panel', () => {
  const cases: PlanCase[] = [
    { name: 'is left alone when it agrees with its row', snapshot: { object: aProjectedObject(), row: aRow() } },
    { name: 'is created when it is missing', snapshot: { row: aRow() }, effects: ['apply-object'] },
    { name: 'is not created beyond the limit', snapshot: { row: aRow(), hasRoom: false } },
    {
      name: 'gets the new address of its row',
      snapshot: { object: aProjectedObject({ status: { rowVersion: 2 } }), row: aRow({ url: 'https://new.example.test/' }) },
      effects: ['apply-object'],
    },
    {
      name: 'gets its labels back',
      snapshot: { object: aProjectedObject({ labels: {} }), row: aRow() },
      effects: ['apply-object'],
    },
    {
      name: 'passes suspend to the row',
      snapshot: { object: aProjectedObject({ spec: { suspend: true } }), row: aRow() },
      effects: ['apply-commands'],
    },
    {
      name: 'passes a new token, and a handled one no more',
      snapshot: {
        object: aProjectedObject({ spec: { rotation: { request: 'a' }, probe: { request: 'b' } } }),
        row: aRow({ secret: aSecret({ handledRequest: 'a' }) }),
      },
      effects: ['apply-commands'],
    },
    {
      name: 'passes nothing when a token was removed',
      snapshot: { object: aProjectedObject(), row: aRow({ secret: aSecret({ handledRequest: 'a' }), lastProbeRequest: 'b' }) },
    },
    {
      name: 'gets its suspension back after it was deleted by hand',
      snapshot: { object: aProjectedObject({ uid: 'uid-2' }), row: aRow({ suspended: true }) },
      effects: ['write-spec'],
    },
    {
      name: 'is recorded when it is new',
      snapshot: { object: aProjectedObject({ uid: 'uid-2' }), row: aRow() },
      effects: ['apply-commands'],
    },
    { name: 'is deleted with its row', snapshot: { object: aProjectedObject() }, effects: ['delete-object'] },
    { name: 'is not deleted while deletions are held', snapshot: { object: aProjectedObject(), holdsDeletions: true } },
    {
      name: 'is not deleted when a user created it under another name',
      snapshot: { object: aProjectedObject({ name: 'mine' }) },
      problem: 'Conflict',
    },
    {
      name: 'is not touched while it is being deleted',
      snapshot: {
        object: aProjectedObject({ deletionTimestamp: '2026-03-01T00:00:00Z' }),
        row: aRow({ url: 'https://x.test/' }),
      },
    },
    {
      name: 'is not touched when the database went back',
      snapshot: { object: aProjectedObject({ status: { rowVersion: 9 } }), row: aRow({ url: 'https://old.example.test/' }) },
      problem: 'StoreRolledBack',
    },
    {
      name: 'is not touched when the cluster went back',
      snapshot: {
        object: aProjectedObject({ spec: { suspend: true } }),
        row: aRow({ object: { ...aRow().object!, generation: 5 } }),
      },
      problem: 'StoreRolledBack',
    },
    {
      name: 'takes over from the row after the decision for the row',
      snapshot: {
        object: aProjectedObject({
          spec: { suspend: true },
          status: { rowVersion: 9 },
          annotations: { 'sealwright.io/resolve': 'from-row' },
        }),
        row: aRow(),
      },
      effects: ['write-spec'],
    },
    {
      name: 'passes its commands after the decision for the object',
      snapshot: {
        object: aProjectedObject({
          spec: { suspend: true },
          status: { rowVersion: 9 },
          annotations: { 'sealwright.io/resolve': 'from-object' },
        }),
        row: aRow(),
      },
      effects: ['apply-commands'],
    },
    {
      name: 'loses the decision when nothing is left to decide',
      snapshot: { object: aProjectedObject({ annotations: { 'sealwright.io/resolve': 'from-row' } }), row: aRow() },
      effects: ['remove-annotation'],
    },
  ]
  for (const each of cases) judge(each)

  it('names the fields that a user changed, and none when the row changed', () => {
    const reverted = (rowVersion: number) =>
      plan(
        aSnapshot({ object: aProjectedObject({ spec: { url: 'https://edited.test/' }, status: { rowVersion } }), row: aRow() }),
      ).effects[0]
    expect(reverted(3)).toMatchObject({ do: 'apply-object', reverted: ['url'] })
    expect(reverted(2)).toMatchObject({ do: 'apply-object', reverted: [] })
  })
})

it('projects exactly the fields that the row decides', () => {
  const row = aRow({ eventTypes: ['signer.signed', 'envelope.sent'], description: 'CRM' })
  expect(plan(aSnapshot({ row })).effects).toEqual([
    {
      do: 'apply-object',
      subscriptionId: ID,
      fields: { orgId: ORG, url: row.url, events: ['envelope.sent', 'signer.signed'], description: 'CRM' },
      reverted: [],
    },
  ])
})
