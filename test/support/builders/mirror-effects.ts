// What each effect of a plan does to the stores of `mirror-world.ts`, as act.ts and the use cases do it.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { Effect } from '../../../controller/webhook-subscription/effect.ts'
import { WEBHOOK_FINALIZER, type WebhookSubscription } from '../../../controller/webhook-subscription/resource.ts'
import { ORG_LABEL, type Snapshot, SUBSCRIPTION_LABEL } from '../../../controller/webhook-subscription/snapshot.ts'
import type { MirrorWorld } from './mirror-world.ts'
import { aProjectedObject, aRow, aSecret } from './subscriptions.ts'

type Of<Name extends Effect['do']> = Extract<Effect, { do: Name }>
type Executors = { [Name in Effect['do']]: (world: MirrorWorld, effect: Of<Name>, snapshot: Snapshot) => void }

export function execute<Name extends Effect['do']>(world: MirrorWorld, effect: Of<Name>, snapshot: Snapshot): void {
  const run: (world: MirrorWorld, effect: Of<Name>, snapshot: Snapshot) => void = EXECUTORS[effect.do]
  run(world, effect, snapshot)
}

const EXECUTORS: Executors = {
  'apply-object': (world, { fields, subscriptionId, resourceVersion }, { name }) => {
    const base = world.require(name, resourceVersion) ?? aProjectedObject({ uid: `uid-${world.next()}` })
    const labels = { [ORG_LABEL]: fields.orgId, [SUBSCRIPTION_LABEL]: subscriptionId }
    world.store(name, { ...base, metadata: { ...base.metadata, labels }, spec: { ...base.spec, ...fields } })
  },
  'delete-object': (world, { resourceVersion }, { name }) => {
    world.require(name, resourceVersion)
    world.deleteByHand(name)
  },
  'write-spec': (world, { commands, fields, resourceVersion }, { name }) => {
    const live = world.mustRequire(name, resourceVersion)
    const { rotation: _rotation, probe: _probe, ...rest } = live.spec
    const { suspend, rotationRequest, probeRequest } = commands
    const requests = {
      ...(rotationRequest !== null && { rotation: { request: rotationRequest } }),
      ...(probeRequest !== null && { probe: { request: probeRequest } }),
    }
    world.store(name, { ...live, spec: { ...rest, ...fields, suspend, ...requests } })
  },
  'add-finalizer': (world, { resourceVersion }, { name }) => {
    const live = world.mustRequire(name, resourceVersion)
    world.store(name, { ...live, metadata: { ...live.metadata, finalizers: [WEBHOOK_FINALIZER] } })
  },
  'release-finalizer': (world, { resourceVersion }, { name }) => {
    const { uid } = world.mustRequire(name, resourceVersion).metadata
    for (const [secretName, { ownerUid }] of world.secrets) if (ownerUid === uid) world.secrets.delete(secretName)
    world.store(name, undefined)
  },
  'remove-annotation': (world, { annotation, resourceVersion }, { name }) => {
    const live = world.mustRequire(name, resourceVersion)
    const { [annotation]: _gone, ...annotations } = live.metadata.annotations ?? {}
    world.store(name, { ...live, metadata: { ...live.metadata, annotations } })
  },
  'apply-managed': (world, _effect, snapshot) => applyManaged(world, objectOf(snapshot), snapshot),
  'apply-commands': (world, { id, suspend, rotationRequest, probeRequest }, snapshot) => {
    if (rotationRequest !== undefined) rotate(world, id, rotationRequest)
    const shown = world.rows.get(id)?.row.origin === 'API' && { object: placeOf(objectOf(snapshot)) }
    world.changeRow(id, { suspended: suspend, ...shown, ...(probeRequest !== undefined && { lastProbeRequest: probeRequest }) })
  },
  adopt: (world, { id }, snapshot) => {
    const place = placeOf(objectOf(snapshot))
    deleteRow(world, place.uid)
    world.changeRow(id, { object: place, orphanedAt: null })
  },
  'request-secret': () => {
    throw new Error('the worker of this world answers at once')
  },
  'create-secret': (world, { id }, snapshot) => {
    const stored = world.rows.get(id)
    if (!stored) return
    const { row, secret } = stored
    if (row.origin !== 'KUBERNETES') throw new Error('a secret of the panel went to Kubernetes')
    const ownerUid = placeOf(objectOf(snapshot)).uid
    const name = world.mirrored(stored).secret.objectName ?? ''
    const uid = `uid-${world.next()}`
    world.secrets.set(name, { uid, ownerUid, secret, previous: row.secret.previousExpiresAt ? stored.previous : null })
    noteShown(world, objectOf(snapshot))
    world.created.set(ownerUid, [...othersThan(world, ownerUid, name), { name, uid }])
  },
  'delete-secret': (world, { name, uid }, snapshot) => {
    const ownerUid = placeOf(objectOf(snapshot)).uid
    if (uid === null || world.secrets.get(name)?.uid === uid) world.secrets.delete(name)
    world.created.set(ownerUid, othersThan(world, ownerUid, name))
  },
  'delete-row': (world, { uid }) => deleteRow(world, uid),
  'mark-orphaned': (world, { uids }) => {
    for (const { row } of world.rows.values()) {
      if (uids.includes(row.object?.uid ?? '')) world.changeRow(row.id, { orphanedAt: new Date('2026-03-01T12:00:00Z') })
    }
  },
}

function objectOf({ object }: Snapshot): WebhookSubscription {
  if (!object) throw new Error('the effect needs an object')
  return object
}

function placeOf({ metadata }: WebhookSubscription): NonNullable<MirroredWebhook['object']> {
  const { name, uid, generation = 1 } = metadata
  return { namespace: 'sealwright', name, uid, generation }
}

/** A restored database may not know it. */
function noteShown(world: MirrorWorld, { metadata: { uid }, status }: WebhookSubscription): void {
  const name = status?.secret?.secretName
  const known = world.created.get(uid) ?? []
  if (name === undefined || known.some((each) => each.name === name)) return
  world.created.set(uid, [...known, { name, uid: null }])
}

function othersThan(world: MirrorWorld, ownerUid: string, name: string) {
  return (world.created.get(ownerUid) ?? []).filter((each) => each.name !== name)
}

function deleteRow(world: MirrorWorld, uid: string): void {
  for (const { row } of world.rows.values()) if (row.origin === 'KUBERNETES' && row.object?.uid === uid) world.rows.delete(row.id)
}

function rotate(world: MirrorWorld, id: string, request: string): void {
  const stored = world.rows.get(id)
  if (!stored || stored.row.secret.handledRequest === request) return
  world.rotations += 1
  stored.previous = stored.secret
  stored.secret = `secret-${world.next()}`
  const previousExpiresAt = new Date('2026-03-02T12:00:00Z')
  world.changeRow(id, {
    secret: aSecret({ revision: stored.row.secret.revision + 1, handledRequest: request, previousExpiresAt }),
  })
}

function applyManaged(world: MirrorWorld, object: WebhookSubscription, { referencedSecret }: Snapshot): void {
  const { url, events, description = '', suspend = false } = object.spec
  const place = placeOf(object)
  const desired = { url, eventTypes: [...events], description, suspended: suspend, object: place, orphanedAt: null }
  const known = [...world.rows.values()].find(({ row }) => row.object?.uid === place.uid)
  if (known) return world.changeRow(known.row.id, desired)
  const id = world.id()
  const row = aRow({ id, origin: 'KUBERNETES', version: 1, ...desired })
  const kept = referencedSecret.kind === 'READ' ? world.secrets.get(object.status?.secret?.secretName ?? '') : undefined
  world.rows.set(id, { row, secret: kept?.secret ?? `secret-${world.next()}`, previous: null })
}
