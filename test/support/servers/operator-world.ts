// An operator in this process against a real API server, with the ServiceAccount token of the shipped Roles, and a database of its own.
import { afterAll, vi } from 'vitest'
import { checkCustomResources } from '#core/backup/check-custom-resources.ts'
import type { OrgId } from '#core/ids.ts'
import type { StorelessCore } from '#core/context.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { openSecretReader } from '#core/platform/kubernetes/open-secret-reader.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../../controller/webhook-subscription/resource.ts'
import { type Operator, startOperator } from '../../../controller/start-operator.ts'
import { startWebhookSecrets } from '../../../workers/seal/start-webhook-secrets.ts'
import { anOrganisation } from '../builders/rows.ts'
import { deliveryCore } from '../builders/webhooks.ts'
import { kubeNamespace } from './kube-server.ts'
import { testDatabase, type TestDatabase } from './test-database.ts'

/** What the contract allows from a change to its effect. */
export const PROMPTLY = { timeout: 5_000, interval: 50 }

const EVENTS: Resource = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event' }
const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }

/** Where the objects are, and with which rights the operator works there. */
export interface Place {
  namespace: string
  /** Of an administrator. */
  kube: Kube
  kubeconfig: string
  /** Of workers. */
  workerKubeconfig: string
}

export interface OperatorWorld {
  namespace: string
  /** Of an administrator. */
  kube: Kube
  core: StorelessCore
  database: TestDatabase
  orgId: OrgId
  /** With another database or API server than the world's, if given. */
  start: (instead?: { database?: Database; kubeconfig?: string }) => Promise<Operator>
  /** A worker reads the Secrets that objects name, until the file ends. */
  startWorker: () => Promise<void>
  object: (name: string) => Promise<WebhookSubscription | undefined>
  /** As `kubectl patch --type merge`. */
  patch: (name: string, change: object) => Promise<WebhookSubscription>
  create: (name: string, spec?: object, metadata?: object) => Promise<WebhookSubscription>
  remove: (name: string) => Promise<void>
  secret: (name: string) => Promise<Record<string, string> | undefined>
  /** Those that the controller created for the object. */
  secretNames: (prefix: string) => Promise<string[]>
  createSecret: (name: string, data: Record<string, string>, labels?: Record<string, string>) => Promise<void>
  removeSecret: (name: string) => Promise<void>
  eventsOf: (name: string) => Promise<string[]>
  statusMap: () => Promise<Record<string, string> | undefined>
  row: (key: { id: string } | { uid: string }) => Promise<MirroredWebhook | undefined>
}

/** Names under `internal.example` are private. */
const lookup = async (host: string): Promise<string[]> => [host.endsWith('internal.example') ? '10.0.0.1' : '93.184.216.34']

/** `environment` adds to the settings. Everything is stopped after the file, operators first. */
export async function operatorWorld(environment: Record<string, string> = {}, place?: Place): Promise<OperatorWorld> {
  const { namespace, kube, kubeconfig, workerKubeconfig } = place ?? (await ownNamespace())
  const database = await testDatabase()
  const core = deliveryCore(database, {
    SEALWRIGHT_KUBECONFIG: kubeconfig,
    SEALWRIGHT_KUBE_NAMESPACE: namespace,
    SEALWRIGHT_LEASE_DURATION: '4s',
    SEALWRIGHT_LEASE_RENEW_DEADLINE: '3s',
    SEALWRIGHT_LEASE_RETRY_PERIOD: '1s',
    ...environment,
  })
  const { orgId } = await anOrganisation(database.system)
  const operators = new AsyncDisposableStack()
  afterAll(async () => {
    await operators.disposeAsync()
    await database[Symbol.asyncDispose]()
  })
  const path = (name?: string) => objectPath(WEBHOOK_SUBSCRIPTIONS, namespace, name)
  const read = <T>(resource: Resource, name: string) => readObject<T>(kube, objectPath(resource, namespace, name))
  return {
    namespace,
    kube,
    core,
    database,
    orgId,
    start: async ({ database: pool = core.database, kubeconfig: file = kubeconfig } = {}) =>
      operators.use(
        await startOperator({ ...core, database: pool, settings: { ...core.settings, kubeconfig: file } }, { lookup }),
      ),
    startWorker: async () => {
      const reader = await openSecretReader({ kubeconfig: workerKubeconfig }, operators)
      if (!reader) throw new Error('The worker has no kubeconfig.')
      operators.use(startWebhookSecrets(core, reader))
    },
    object: (name) => readObject<WebhookSubscription>(kube, path(name)),
    patch: (name, body) =>
      kube.requests.request({ method: 'PATCH', path: path(name), contentType: 'application/merge-patch+json', body }),
    create: (name, spec = {}, metadata = {}) =>
      kube.requests.request({ method: 'POST', path: path(), body: aSubscription(name, { orgId, ...spec }, metadata) }),
    remove: async (name) => void (await kube.requests.request({ method: 'DELETE', path: path(name) })),
    async secret(name) {
      const secret = await read<KubeObject & { data?: Record<string, string> }>(SECRETS, name)
      return (
        secret &&
        Object.fromEntries(
          Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
        )
      )
    },
    async createSecret(name, stringData, labels = {}) {
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, stringData }
      await kube.requests.request({ method: 'POST', path: objectPath(SECRETS, namespace), body })
    },
    async secretNames(prefix) {
      const { items } = await kube.requests.request<{ items: KubeObject[] }>({
        method: 'GET',
        path: objectPath(SECRETS, namespace),
      })
      return items.flatMap(({ metadata: { name } }) => (name.startsWith(`${prefix}-webhook-`) ? [name] : []))
    },
    removeSecret: async (name) =>
      void (await kube.requests.request({ method: 'DELETE', path: objectPath(SECRETS, namespace, name) })),
    async eventsOf(name) {
      const { items } = await kube.requests.request<{ items: { reason: string; regarding: { name: string } }[] }>({
        method: 'GET',
        path: objectPath(EVENTS, namespace),
      })
      return items.filter(({ regarding }) => regarding.name === name).map(({ reason }) => reason)
    },
    statusMap: async () => (await read<KubeObject & { data?: Record<string, string> }>(CONFIG_MAPS, 'sealwright-status'))?.data,
    row: (key) => readMirrored(core, key),
  }
}

async function ownNamespace(): Promise<Place> {
  const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()
  const { kubeconfig } = await serviceAccountKubeconfig('sealwright-controller')
  const { kubeconfig: workerKubeconfig } = await serviceAccountKubeconfig('sealwright-worker')
  return { namespace, kube, kubeconfig, workerKubeconfig }
}

function aSubscription(name: string, spec: object, metadata: object): object {
  return {
    apiVersion: 'sealwright.io/v1alpha1',
    kind: 'WebhookSubscription',
    metadata: { name, ...metadata },
    spec: { url: `https://${name}.example.com/hook`, events: ['envelope.completed'], ...spec },
  }
}

async function readObject<T>(kube: Kube, path: string): Promise<T | undefined> {
  try {
    return await kube.requests.request<T>({ method: 'GET', path })
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}

interface Conditioned {
  status?: { conditions?: { type: string; status: string; reason: string }[] | undefined }
}

/** The reason of a condition of the object, as `True Accepted`. */
export function condition(object: Conditioned | undefined, type: string): string | undefined {
  const found = object?.status?.conditions?.find((each) => each.type === type)
  return found && `${found.status} ${found.reason}`
}

/** Repeats the assertion until it holds, for at most the time that the contract allows. */
export async function promptly<T>(assertion: () => Promise<T>, timeout = PROMPTLY.timeout): Promise<T> {
  return vi.waitFor(assertion, { ...PROMPTLY, timeout })
}

/** The objects of which `sealwright backup verify` says that their row is behind. */
export async function rowsBehind({
  core,
  kube,
  namespace,
}: Pick<OperatorWorld, 'core' | 'kube' | 'namespace'>): Promise<string[]> {
  const subjects: string[] = []
  const resources = { client: kube.requests, namespace, keysNamespace: namespace }
  await checkCustomResources(core, resources, ({ subject }) => subjects.push(subject ?? ''))
  return subjects
}
