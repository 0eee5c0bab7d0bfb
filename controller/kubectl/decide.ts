// `kubectl sealwright adopt` and `resolve`: annotations with which a person decides what the controller must not decide.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { ADOPT, RESOLVE, type Resolution } from '../resource/annotations.ts'
import { SIGNING_KEYS } from '../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../webhook-subscription/resource.ts'
import { type Cluster, findObject, namespaceFor, patchObject, readObject } from './cluster.ts'
import { CommandError } from './command-error.ts'
import { describeCondition, isObserved, type WithConditions } from './condition-of.ts'
import type { ActionOptions } from './action.ts'
import type { Report } from './report.ts'
import { waitUntil } from './wait-until.ts'

type Mirrored = KubeObject & WithConditions

const PREFIXES: Readonly<Record<string, Resource>> = { whsub: WEBHOOK_SUBSCRIPTIONS, skey: SIGNING_KEYS }

/** Lets a WebhookSubscription continue an orphaned webhook. */
export async function adopt(cluster: Cluster, name: string, subscription: string, options: ActionOptions): Promise<Report> {
  await readObject(cluster, WEBHOOK_SUBSCRIPTIONS, name)
  return annotate(cluster, WEBHOOK_SUBSCRIPTIONS, name, { annotation: ADOPT, value: subscription }, options)
}

/** Says whether row or object counts. `name` may begin with `whsub/` or `skey/`; without, it must be a name of one kind only. */
export async function resolveConflict(
  cluster: Cluster,
  name: string,
  resolution: Resolution,
  options: ActionOptions,
): Promise<Report> {
  const target = await findTarget(cluster, name)
  return annotate(cluster, target.resource, target.name, { annotation: RESOLVE, value: resolution }, options)
}

async function findTarget(cluster: Cluster, name: string): Promise<{ resource: Resource; name: string }> {
  const [prefix = '', rest] = name.split('/', 2)
  if (rest === undefined) return { resource: await findKind(cluster, name), name }
  const resource = PREFIXES[prefix]
  if (!resource) throw new CommandError(`Write whsub/NAME or skey/NAME instead of ${name}.`)
  await readObject(cluster, resource, rest)
  return { resource, name: rest }
}

async function findKind(cluster: Cluster, name: string): Promise<Resource> {
  const [webhook, key] = await Promise.all([
    findObject(cluster, WEBHOOK_SUBSCRIPTIONS, name),
    findObject(cluster, SIGNING_KEYS, name),
  ])
  if (webhook && key) throw new CommandError(`Both kinds have an object ${name}: write whsub/${name} or skey/${name}.`)
  if (webhook) return WEBHOOK_SUBSCRIPTIONS
  if (key) return SIGNING_KEYS
  const { namespace, keysNamespace } = cluster
  throw new CommandError(
    `There is no WebhookSubscription ${name} in the namespace ${namespace} and no SigningKey in ${keysNamespace}.`,
  )
}

async function annotate(
  cluster: Cluster,
  resource: Resource,
  name: string,
  { annotation, value }: { annotation: string; value: string },
  { wait = false, timeoutMs }: ActionOptions,
): Promise<Report> {
  await patchObject(cluster, resource, name, { metadata: { annotations: { [annotation]: value } } })
  const what = { kind: resource.kind, namespace: namespaceFor(cluster, resource), name, annotation, value, changed: true }
  const line = `${name}: the annotation ${annotation} is ${value}. The controller removes it once it is handled.`
  if (!wait) return { ok: true, lines: [line], json: what }
  const read = () => readObject<Mirrored>(cluster, resource, name)
  const isHandled = (object: Mirrored) => isObserved(object) && object.metadata.annotations?.[annotation] === undefined
  const { object, isDone } = await waitUntil(read, isHandled, timeoutMs)
  const message = isDone
    ? describeCondition(object, 'Synced')
    : `not handled after ${timeoutMs / 1_000} s; ${describeCondition(object, 'Synced')}`
  const ok = isDone && isSynced(object)
  return { ok, lines: [line, `${name}: ${message}`], json: { ...what, done: isDone, ok, message } }
}

function isSynced({ status }: WithConditions): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Synced' && value === 'True') ?? false
}
