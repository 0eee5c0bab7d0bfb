import { describe } from 'vitest'
import { judge, type PlanCase } from '../../../support/builders/plan-cases.ts'
import { aManagedObject, aManagedRow, aManagedSecret, ID, SECRET_NAME } from '../../../support/builders/subscriptions.ts'

const OTHER = '33333333-3333-4333-8333-333333333333'

describe('an object managed in Kubernetes', () => {
  const row = aManagedRow()
  const object = aManagedObject()
  const named = aManagedObject({ spec: { secretRef: { name: 's' }, rotation: { request: 'r2' } } })
  const reference = { namespace: 'sealwright', name: 's', key: 'secret', rotationRequest: 'r2' }
  const earlier = { name: 'billing-webhook-r0-0123456789', uid: 'secret-uid-0' }
  const withEarlier = aManagedRow({ secret: aManagedSecret({ created: [earlier, ...row.secret.created] }) })
  const deleted = { deletionTimestamp: '2026-03-01T00:00:00Z' }
  const adopts = { annotations: { 'sealwright.io/adopt': OTHER } }
  const cases: PlanCase[] = [
    { name: 'is left alone when its row agrees', snapshot: { object, row } },
    {
      name: 'gets its finalizer before its row',
      snapshot: { object: aManagedObject({ finalizers: [] }) },
      effects: ['add-finalizer'],
    },
    { name: 'gets a row', snapshot: { object }, effects: ['apply-managed'] },
    {
      name: 'changes its row',
      snapshot: { object: aManagedObject({ spec: { events: ['envelope.sent', 'envelope.completed'] } }), row },
      effects: ['apply-managed'],
    },
    {
      name: 'has its generation recorded, whatever it changed',
      snapshot: { object: aManagedObject({ generation: 2 }), row },
      effects: ['apply-managed'],
    },
    {
      name: 'asks for the Secret that it names, before anything else',
      snapshot: { object: named, row, referencedSecret: { kind: 'NOT_REQUESTED', reference } },
      effects: ['request-secret'],
    },
    {
      name: 'gets no row before its secret was read',
      snapshot: { object: named, referencedSecret: { kind: 'WAITING', forMs: 900 } },
    },
    {
      name: 'is not refused for a Secret that an earlier object named',
      snapshot: { object, referencedSecret: { kind: 'MISSING', message: 'no' } },
      effects: ['apply-managed'],
    },
    {
      name: 'waits when the Secret of its lost row cannot be read',
      snapshot: { object, referencedSecret: { kind: 'UNREACHABLE', message: 'no' } },
      problem: 'SecretMissing',
    },
    ...(['MISSING', 'UNUSABLE', 'UNREACHABLE'] as const).map((kind) => ({
      name: `says that the Secret that it names is ${kind}`,
      snapshot: { object: named, referencedSecret: { kind, message: 'no' } },
      problem: kind === 'UNUSABLE' ? 'SecretUnusable' : 'SecretMissing',
    })),
    {
      name: 'is not tried again in the reconcile that refused it',
      snapshot: { object, refusal: { reason: 'LimitExceeded', message: 'full' } },
      problem: 'LimitExceeded',
    },
    {
      name: 'gives its row the secret that was read',
      snapshot: { object: named, row, referencedSecret: { kind: 'READ', isGiven: false } },
      effects: ['apply-managed'],
    },
    {
      name: 'rotates when its secret was read',
      snapshot: { object: named, row, referencedSecret: { kind: 'READ', isGiven: true } },
      effects: ['apply-commands'],
    },
    { name: 'does not rotate before that', snapshot: { object: named, row, referencedSecret: { kind: 'WAITING', forMs: 900 } } },
    {
      name: 'changes its row while it waits for its secret',
      snapshot: {
        object: { ...named, metadata: { ...named.metadata, generation: 2 } },
        row,
        referencedSecret: { kind: 'WAITING', forMs: 900 },
      },
      effects: ['apply-managed'],
    },
    {
      name: 'gets its Secret',
      snapshot: { object, row: aManagedRow({ secret: aManagedSecret({ created: [] }) }) },
      effects: ['create-secret'],
    },
    {
      name: 'gets its Secret when it is not known whether it was created',
      snapshot: { object, row: aManagedRow({ secret: aManagedSecret({ created: [{ name: SECRET_NAME, uid: null }] }) }) },
      effects: ['create-secret'],
    },
    { name: 'gets its Secret again', snapshot: { object, row, isSecretGone: true }, effects: ['create-secret'] },
    {
      name: 'keeps the earlier Secret until it shows the new one',
      snapshot: { object: aManagedObject({ status: { secret: { revision: 0, secretName: earlier.name } } }), row: withEarlier },
    },
    {
      name: 'loses the earlier Secret when it shows the new one',
      snapshot: { object: aManagedObject({ status: { secret: { revision: 1, secretName: SECRET_NAME } } }), row: withEarlier },
      effects: ['delete-secret'],
    },
    {
      name: 'deletes its row, then releases its finalizer',
      snapshot: { object: aManagedObject(deleted), row },
      effects: ['delete-row', 'release-finalizer'],
    },
    {
      name: 'releases its finalizer without a row',
      snapshot: { object: aManagedObject(deleted) },
      effects: ['release-finalizer'],
    },
    {
      name: 'deletes what was read for it when it never got a row',
      snapshot: { object: aManagedObject({ ...deleted, spec: { secretRef: { name: 's' } } }) },
      effects: ['delete-row', 'release-finalizer'],
    },
    {
      name: 'orphans its row when the definition is deleted',
      snapshot: { object: aManagedObject(deleted), row, isKindDeleted: true },
      effects: ['mark-orphaned', 'release-finalizer'],
    },
    { name: 'orphans its row when it disappeared', snapshot: { name: 'billing', vanished: [row] }, effects: ['mark-orphaned'] },
    { name: 'orphans no row while deletions are held', snapshot: { name: 'billing', vanished: [row], holdsDeletions: true } },
    {
      name: 'is new although its name is not: the row of the earlier object is orphaned',
      snapshot: { object: aManagedObject({ uid: 'uid-2' }), vanished: [row] },
      effects: ['mark-orphaned', 'apply-managed'],
    },
    {
      name: 'takes its row back when it reappears',
      snapshot: { object, row: aManagedRow({ orphanedAt: new Date() }) },
      effects: ['apply-managed'],
    },
    { name: 'adopts the row of its annotation', snapshot: { object: aManagedObject(adopts), row }, effects: ['adopt'] },
    {
      name: 'shows that it may not adopt',
      snapshot: { object: aManagedObject(adopts), row, adoptionRefusal: 'It has an object.' },
      problem: 'Conflict',
    },
    {
      name: 'loses the annotation when it has adopted',
      snapshot: { object: aManagedObject({ annotations: { 'sealwright.io/adopt': ID } }), row },
      effects: ['remove-annotation'],
    },
    {
      name: 'is judged again, not taken for lost, when an older object took its row over',
      snapshot: { object: aManagedObject({ status: { rowVersion: 4, subscriptionId: ID } }), takenOver: row },
      effects: ['apply-managed'],
    },
    {
      name: 'gets no second row when the database lost its first',
      snapshot: { object: aManagedObject({ status: { rowVersion: 4 } }) },
      problem: 'StoreRolledBack',
    },
    {
      name: 'gets its row again after the decision for the object',
      snapshot: {
        object: aManagedObject({ status: { rowVersion: 4 }, annotations: { 'sealwright.io/resolve': 'from-object' } }),
      },
      effects: ['apply-managed'],
    },
    {
      name: 'cannot be resolved from a row that does not exist',
      snapshot: { object: aManagedObject({ status: { rowVersion: 4 }, annotations: { 'sealwright.io/resolve': 'from-row' } }) },
      problem: 'StoreRolledBack',
    },
    {
      name: 'takes the values of the row after the decision for the row',
      snapshot: {
        object: aManagedObject({
          spec: { url: 'https://newer.test/' },
          status: { rowVersion: 9 },
          annotations: { 'sealwright.io/resolve': 'from-row' },
        }),
        row,
      },
      effects: ['write-spec'],
    },
    {
      name: 'is not read by its row when the cluster went back',
      snapshot: {
        object: aManagedObject({ spec: { url: 'https://older.test/' } }),
        row: aManagedRow({ object: { ...row.object!, generation: 8 } }),
      },
      problem: 'StoreRolledBack',
    },
  ]
  for (const each of cases) judge(each)
})
