// Carries out the effects of a plan. Each is idempotent, and each write of an object has the version that the plan was made for as its precondition.
import { OrgId } from '#core/ids.ts'
import { adopt } from '#core/webhook/mirror/adopt.ts'
import { applyManaged } from '#core/webhook/mirror/apply-managed.ts'
import type { ManagedWebhook } from '#core/webhook/mirror/managed-webhook.ts'
import { applyCommands } from '#core/webhook/mirror/apply-commands.ts'
import { deleteManaged } from '#core/webhook/mirror/delete-managed.ts'
import { markOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import { requestSecret } from '#core/webhook/mirror/request-secret.ts'
import { noteStored } from '../projection/kind-context.ts'
import { changeFinalizer, patchObject, PROJECTION_MANAGER } from '../projection/object-writes.ts'
import type { NewObject } from '../resource/custom-object.ts'
import { applyObject, deleteObject } from '../runtime/object-calls.ts'
import { toStored } from '../runtime/stored-object.ts'
import type { WebhookContext, WebhookProgress } from './context.ts'
import type { CommandFields, Effect, ProjectedFields } from './effect.ts'
import { WEBHOOK_FINALIZER, WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { createSecret, deleteSecret } from './secrets.ts'
import { ORG_LABEL, type Snapshot, SUBSCRIPTION_LABEL } from './snapshot.ts'
import { secretSourceOf } from './referenced-secret.ts'

/** Throws KubeError (409: the object has changed), FencedError, and errors of the database. */
export async function act(context: WebhookContext, snapshot: Snapshot, effect: Effect, progress: WebhookProgress): Promise<void> {
  if (isOfRow(effect)) return changeRow(context, snapshot, effect, progress)
  if (isOfSecret(effect)) return changeSecret(context, requireObject(snapshot, effect), effect)
  await context.leadership.takeWrite()
  noteStored(progress, await changeObject(context, snapshot, effect))
}

function requireObject({ object, name }: Snapshot, effect: Effect): WebhookSubscription {
  if (!object) throw new Error(`The plan of ${name} has ${effect.do} without an object.`)
  return object
}

const SECRET_EFFECTS = ['request-secret', 'create-secret', 'delete-secret'] as const
const ROW_EFFECTS = ['apply-managed', 'apply-commands', 'adopt', 'delete-row', 'mark-orphaned'] as const

type SecretEffect = Extract<Effect, { do: (typeof SECRET_EFFECTS)[number] }>
type RowEffect = Extract<Effect, { do: (typeof ROW_EFFECTS)[number] }>
type ObjectEffect = Exclude<Effect, RowEffect | SecretEffect>

function isOfSecret(effect: Effect): effect is SecretEffect {
  return SECRET_EFFECTS.some((name) => name === effect.do)
}

function isOfRow(effect: Effect): effect is RowEffect {
  return ROW_EFFECTS.some((name) => name === effect.do)
}

type Change<Name extends ObjectEffect['do']> = (
  context: WebhookContext,
  snapshot: Snapshot,
  effect: Extract<ObjectEffect, { do: Name }>,
) => Promise<WebhookSubscription | undefined>

/** The object as stored; undefined when it is gone. */
function changeObject<Name extends ObjectEffect['do']>(
  context: WebhookContext,
  snapshot: Snapshot,
  effect: Extract<ObjectEffect, { do: Name }>,
): Promise<WebhookSubscription | undefined> {
  const change: Change<Name> = CHANGES[effect.do]
  return change(context, snapshot, effect)
}

function removeAnnotation(
  context: WebhookContext,
  snapshot: Snapshot,
  { annotation, resourceVersion }: Extract<Effect, { do: 'remove-annotation' }>,
): Promise<WebhookSubscription> {
  return patch(context, snapshot, resourceVersion, { metadata: { annotations: { [annotation]: null } } })
}

async function remove(
  { kube, leadership: { signal } }: WebhookContext,
  { namespace, name }: Snapshot,
  { uid, resourceVersion }: Extract<Effect, { do: 'delete-object' }>,
): Promise<undefined> {
  await deleteObject(kube, WEBHOOK_SUBSCRIPTIONS, { namespace, name }, { uid, resourceVersion, signal })
  return undefined
}

async function changeFinalizers(
  context: WebhookContext,
  { namespace, name, object }: Snapshot,
  { do: change, resourceVersion }: Extract<Effect, { do: 'add-finalizer' | 'release-finalizer' }>,
): Promise<WebhookSubscription | undefined> {
  const metadata = { name, namespace, resourceVersion, finalizers: object?.metadata.finalizers ?? [] }
  return changeFinalizer(context, WEBHOOK_SUBSCRIPTIONS, metadata, WEBHOOK_FINALIZER, change === 'add-finalizer')
}

async function project(
  { kube, leadership, events }: WebhookContext,
  { namespace, name }: Snapshot,
  { fields, subscriptionId, resourceVersion, reverted }: Extract<Effect, { do: 'apply-object' }>,
): Promise<WebhookSubscription> {
  const labels = { [ORG_LABEL]: fields.orgId, [SUBSCRIPTION_LABEL]: subscriptionId }
  const object: NewObject<WebhookSubscription> = {
    apiVersion: `${WEBHOOK_SUBSCRIPTIONS.group}/${WEBHOOK_SUBSCRIPTIONS.version}`,
    kind: WEBHOOK_SUBSCRIPTIONS.kind,
    metadata: { name, namespace, labels, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { ...fields, origin: 'API' },
  }
  const stored = await applyObject<WebhookSubscription>(kube, WEBHOOK_SUBSCRIPTIONS, object, {
    manager: PROJECTION_MANAGER,
    force: true,
    signal: leadership.signal,
  })
  if (reverted.length > 0) {
    const note = `The change of ${reverted.join(', ')} was undone: this webhook was created in the panel, and is changed there.`
    events.record({ regarding: stored, type: 'Warning', reason: 'ChangeReverted', action: 'Revert', note })
  }
  return toStored(stored)
}

function specOf({ suspend, rotationRequest, probeRequest }: CommandFields, fields: ProjectedFields | undefined) {
  const { orgId: _immutable, ...config } = fields ?? {}
  return {
    ...config,
    suspend,
    rotation: rotationRequest === null ? null : { request: rotationRequest },
    probe: probeRequest === null ? null : { request: probeRequest },
  }
}

function patch(
  context: WebhookContext,
  { namespace, name }: Snapshot,
  resourceVersion: string,
  change: { metadata?: object; spec?: object },
): Promise<WebhookSubscription> {
  return patchObject(context, WEBHOOK_SUBSCRIPTIONS, { namespace, name, resourceVersion }, change)
}

const CHANGES: { [Name in ObjectEffect['do']]: Change<Name> } = {
  'apply-object': project,
  'delete-object': remove,
  'write-spec': (context, snapshot, { commands, fields, resourceVersion }) =>
    patch(context, snapshot, resourceVersion, { spec: specOf(commands, fields) }),
  'add-finalizer': changeFinalizers,
  'release-finalizer': changeFinalizers,
  'remove-annotation': removeAnnotation,
}

async function changeRow(
  context: WebhookContext,
  snapshot: Snapshot,
  effect: RowEffect,
  progress: WebhookProgress,
): Promise<void> {
  const { core, leadership } = context
  const { fence } = leadership
  if (effect.do === 'delete-row') return deleteManaged(core, fence, effect.uid)
  if (effect.do === 'mark-orphaned') return markOrphaned(core, fence, effect.uids, snapshot.now)
  const object = requireObject(snapshot, effect)
  switch (effect.do) {
    case 'apply-managed':
      return applyDesired(context, snapshot, object, progress)
    case 'adopt':
      return adoptRow(context, snapshot, object, effect.id, progress)
    case 'apply-commands': {
      const { do: _do, ...commands } = effect
      const { generation, ...ref } = refOf(object, snapshot)
      await applyCommands(core, fence, { ...commands, generation, object: ref })
      const { probeRequest, rotationRequest } = commands
      Object.assign(
        progress,
        probeRequest !== undefined && { probeRequest },
        rotationRequest !== undefined && { rotationRequest },
      )
    }
  }
}

async function changeSecret(context: WebhookContext, object: WebhookSubscription, effect: SecretEffect): Promise<void> {
  if (effect.do === 'create-secret') return createSecret(context, object, effect.id)
  if (effect.do === 'delete-secret') return deleteSecret(context, object, effect)
  return requestSecret(context.core, context.leadership.fence, object.metadata.uid, effect.reference)
}

async function adoptRow(
  { core, leadership }: WebhookContext,
  snapshot: Snapshot,
  object: WebhookSubscription,
  id: string,
  progress: WebhookProgress,
): Promise<void> {
  const adoption = { ...refOf(object, snapshot), id, orgId: orgIdOf(object), createdAt: createdAt(object) }
  const outcome = await adopt(core, leadership.fence, adoption)
  if (outcome.outcome === 'refused') progress.adoptionRefusal = outcome.message
}

async function applyDesired(
  context: WebhookContext,
  snapshot: Snapshot,
  object: WebhookSubscription,
  progress: WebhookProgress,
): Promise<void> {
  const { core, leadership, lookup } = context
  const outcome = await applyManaged(core, leadership.fence, desiredState(snapshot, object), lookup)
  if (outcome.outcome === 'refused') progress.refusal = { reason: outcome.reason, message: outcome.message }
}

function desiredState(snapshot: Snapshot, object: WebhookSubscription): ManagedWebhook {
  const { url, events, description = '', suspend = false } = object.spec
  const orgId = orgIdOf(object)
  const secret = secretSourceOf(object, snapshot.referencedSecret)
  return { ...refOf(object, snapshot), createdAt: createdAt(object), orgId, url, events, description, suspend, secret }
}

/** The API server checks its form. */
function orgIdOf({ spec }: WebhookSubscription): OrgId {
  return OrgId.parse(spec.orgId.toLowerCase())
}

function createdAt({ metadata }: WebhookSubscription): Date {
  return new Date(metadata.creationTimestamp ?? 0)
}

function refOf({ metadata }: WebhookSubscription, { namespace, name }: Snapshot) {
  return { uid: metadata.uid, namespace, name, generation: metadata.generation ?? 0 }
}
