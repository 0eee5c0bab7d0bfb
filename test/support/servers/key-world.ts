// SigningKeys with an operator and seal workers, each with the ServiceAccount token of the shipped Roles, on a real API server and a database of its own.
import { afterAll, expect } from 'vitest'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { advanceRotations } from '#core/signing-key/advance-rotations.ts'
import { chooseVersion } from '#core/signing-key/choose-version.ts'
import { readKey } from '#core/signing-key/list-keys.ts'
import type { KeyRef } from '#core/signing-key/key-store.ts'
import type { KeyRing } from '#core/signing-key/loading/key-ring.ts'
import { openSecretReader } from '#core/platform/kubernetes/open-secret-reader.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'
import type { Operator } from '../../../controller/start-operator.ts'
import { SIGNING_KEYS, type SigningKeyObject, type SigningKeySpec } from '../../../controller/signing-key/resource.ts'
import { OWN_KEY } from '../builders/key-rig.ts'
import { keyWorker } from '../builders/signing-keys.ts'
import { kubeNamespace } from './kube-server.ts'
import { operatorWorld, type OperatorWorld, promptly } from './operator-world.ts'

/** The default: no test here is about elections, and on a busy machine a short Lease is lost. */
const LEASE = {
  SEALWRIGHT_LEASE_DURATION: '15s',
  SEALWRIGHT_LEASE_RENEW_DEADLINE: '10s',
  SEALWRIGHT_LEASE_RETRY_PERIOD: '2s',
}
/** A rotation takes several steps of several processes. */
const WITHIN_MS = 30_000
/** The first election and the first lists, on a busy machine. */
const LEADS_WITHIN_MS = 100_000
const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

export interface KeyWorld {
  world: Pick<OperatorWorld, 'namespace' | 'kube' | 'core' | 'database' | 'orgId' | 'eventsOf' | 'statusMap'>
  /** An operator that leads when this resolves. */
  start: () => Promise<Operator>
  /** Repeats the assertion until it holds, while the workers load and rotations advance as in their processes. */
  until: <T>(assertion: () => Promise<T>) => Promise<T>
  /** A seal worker, until the end of the file. */
  worker: (name: string) => Promise<KeyRing>
  /** A seal worker that loads nothing, until it is disposed of. */
  idleWorker: (name: string) => Promise<KeyRing>
  object: (name: string) => Promise<SigningKeyObject | undefined>
  create: (name: string, spec: object) => Promise<SigningKeyObject>
  patch: (name: string, change: object) => Promise<SigningKeyObject>
  remove: (name: string) => Promise<void>
  /** Creates the Secret, or replaces it. */
  /** With the label for signing keys, unless `labels` has others. */
  putSecret: (name: string, entries: Record<string, Buffer | string>, labels?: Record<string, string>) => Promise<void>
  secretNames: () => Promise<string[]>
  row: (ref: KeyRef) => Promise<SigningKeyView | undefined>
  /** The key and version that seal for the organisation, or why its documents wait. */
  sealing: () => Promise<string>
}

/** The installation has its own, self-signed key, and no worker yet. */
export async function keyWorld(environment: Record<string, string> = {}): Promise<KeyWorld> {
  const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()
  const { kubeconfig } = await serviceAccountKubeconfig('sealwright-controller')
  const account = await serviceAccountKubeconfig('sealwright-worker')
  const place = { namespace, kube, kubeconfig, workerKubeconfig: account.kubeconfig }
  const world = await operatorWorld({ ...LEASE, ...environment }, place)
  const { core, orgId } = world
  await storeSelfSignedKey(core, { key: OWN_KEY })
  const readers = new AsyncDisposableStack()
  afterAll(() => readers.disposeAsync())
  const secrets: SecretReader | undefined = await openSecretReader({ ...core.settings, kubeconfig: account.kubeconfig }, readers)
  const rings = new Set<KeyRing>()
  const path = (name?: string) => objectPath(SIGNING_KEYS, namespace, name)
  const secretPath = (name?: string) => objectPath(SECRETS, namespace, name)
  const { requests } = kube
  const read = (name: string) => unlessMissing(requests.request<SigningKeyObject>({ method: 'GET', path: path(name) }))
  const newRing = (name: string) => keyWorker(core, { name, ...(secrets && { secrets }) })
  return {
    world,
    async start() {
      const operator = await world.start()
      await promptly(async () => expect(operator.isLeader()).toBe(true), LEADS_WITHIN_MS)
      await promptly(async () => expect((await read('installation'))?.status).toBeDefined(), LEADS_WITHIN_MS)
      return operator
    },
    until: (assertion) =>
      promptly(async () => {
        for (const ring of rings) {
          await ring.heartbeat()
          await ring.sync()
        }
        await advanceRotations(core)
        return assertion()
      }, WITHIN_MS),
    async worker(name) {
      const ring = await newRing(name)
      rings.add(ring)
      readers.use(ring)
      return ring
    },
    idleWorker: newRing,
    object: read,
    create: (name, spec) => requests.request({ method: 'POST', path: path(), body: newKey(name, spec) }),
    patch: (name, body) =>
      requests.request({ method: 'PATCH', path: path(name), contentType: 'application/merge-patch+json', body }),
    remove: async (name) => void (await requests.request({ method: 'DELETE', path: path(name) })),
    async putSecret(name, entries, labels = { 'sealwright.io/signing-key': 'true' }) {
      await unlessMissing(requests.request({ method: 'DELETE', path: secretPath(name) }))
      const data = Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
      await requests.request({
        method: 'POST',
        path: secretPath(),
        body: { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, data },
      })
    },
    async secretNames() {
      const { items } = await requests.request<{ items: KubeObject[] }>({ method: 'GET', path: secretPath() })
      return items.map(({ metadata }) => metadata.name).toSorted()
    },
    row: (ref) => readKey(core, ref),
    async sealing() {
      const choice = await chooseVersion(core, orgId)
      return choice.waits ? choice.reason : `${choice.version.keyId} ${choice.version.version}`
    },
  }
}

function newKey(name: string, spec: object): { spec: object } & KubeObject {
  return { apiVersion: 'sealwright.io/v1alpha1', kind: 'SigningKey', metadata: { name }, spec }
}

/** The provider of a PKCS#12 file in the Secret; with the entry `tls.key` of PEM as cert-manager writes it. */
export function pkcs12(name: string, key?: string): Pick<SigningKeySpec, 'provider'> {
  return { provider: { type: 'PKCS12', pkcs12: { secretRef: { name, ...(key !== undefined && { key }) } } } }
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}
