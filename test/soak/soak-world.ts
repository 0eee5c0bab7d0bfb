// The system of the soak: an API server with its controllers, Postgres, two controllers of ours behind a proxy each, a worker that sends probes, and a receiver.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PersonCaller, StorelessCore } from '#core/context.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { PersonId } from '#core/ids.ts'
import { type Kube, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { rolesFor } from '../../hack/servers/installation-manifests.ts'
import { type ControlPlane, startControlPlane } from '../../hack/servers/kube-control-plane.ts'
import { applyCustomResources } from '../../hack/servers/kube-setup.ts'
import { type PostgresServer, startPostgres } from '../../hack/servers/postgres.ts'
import { newTlsCertificates } from '../support/builders/tls-certificates.ts'
import { ask } from '../support/clients/ask.ts'
import { type Restartable, restartable } from '../support/servers/split-service.ts'
import { answerOf, startWebhookReceiver } from '../support/servers/webhook-receiver.ts'
import { assertOnlyEnded } from './assert-only-ended.ts'
import { type EtcdKeys, openEtcd } from './etcd-keys.ts'
import { RECEIVER_DOMAIN } from './resolve-names.ts'
import { lastElected, type SoakController, type SoakProcess, startControllers, startDeliverer } from './soak-processes.ts'

export interface SoakWorld extends AsyncDisposable {
  /** Holds the logs. */
  folder: string
  namespace: string
  plane: ControlPlane
  etcd: EtcdKeys
  /** Of an administrator, directly to the API server. */
  kube: Kube
  postgres: Restartable<PostgresServer>
  databaseUrl: string
  /** As the API and as workers and controllers have it. */
  core: StorelessCore
  system: StorelessCore
  admin: PersonCaller
  controllers: readonly SoakController[]
  deliverer: SoakProcess
  /** Where webhooks go, with a name that is not used yet. */
  urlOf: (name: string) => string
}

export const SWEEP_SECONDS = 5
export const GRACE_SECONDS = 10
export const LEASE_SECONDS = 5
const NAMESPACE = 'sealwright'
const LED_WITHIN_MS = 120_000
const POLL_MS = 100
const ADMIN_EMAIL = 'admin@example.test'

/** Starts everything, without faults. */
export async function startSoakWorld(): Promise<SoakWorld> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-soak-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startDatabase(folder, stack)
  const databaseUrl = `${postgres.current.url}/postgres`
  await migrate(databaseUrl)
  const plane = await startControlPlane({ dataDir: path.join(folder, 'kubernetes'), controllers: true })
  stack.defer(() => plane.stop())
  const kube = stack.use(await openKube({ kubeconfig: plane.kubeconfig }))
  await prepare(kube)
  const { port, environment } = await startReceiver(folder, stack)
  const key = randomBytes(32)
  const settings = { ...settingsOf(databaseUrl, key), ...environment }
  const open = (role: 'sealwright_api' | 'sealwright_system') => newCore(openPool(databaseUrl, role, stack), key, settings)
  const [core, system] = [open('sealwright_api'), open('sealwright_system')]
  const admin = await addAdmin(system, databaseUrl)
  const controllers = await startControllers({ folder, plane, kube, namespace: NAMESPACE, settings }, stack)
  const deliverer = stack.use(startDeliverer(folder, settings))
  const etcd = stack.use(openEtcd(plane))
  await untilLed(controllers)
  const running = stack.move()
  return {
    folder,
    namespace: NAMESPACE,
    plane,
    etcd,
    kube,
    postgres,
    databaseUrl,
    core,
    system,
    admin,
    controllers,
    deliverer,
    urlOf: (name) => `https://${name}.${RECEIVER_DOMAIN}:${port}/`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function untilLed(controllers: readonly SoakController[]): Promise<void> {
  for (const until = performance.now() + LED_WITHIN_MS; (await lastElected(controllers)) === undefined; await delay(POLL_MS)) {
    controllers.forEach(assertOnlyEnded)
    if (performance.now() > until) throw new Error('No controller leads.')
  }
}

async function startDatabase(folder: string, stack: AsyncDisposableStack): Promise<Restartable<PostgresServer>> {
  const postgres = await restartable((port) =>
    startPostgres({
      dataDir: path.join(folder, 'postgres'),
      password: 'test',
      durable: false,
      persistent: true,
      // Commits survive the server's end, though not the machine's.
      settings: ['synchronous_commit=on', 'max_connections=100'],
      ...port,
    }),
  )
  stack.defer(() => postgres.current.stop())
  return postgres
}

/** Without the admission policies: what users may not do then reaches the controller. */
async function prepare({ requests }: Kube): Promise<void> {
  await applyManifests(requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }])
  await applyCustomResources(requests)
  await applyManifests(requests, await rolesFor({ namespace: NAMESPACE, keysNamespace: NAMESPACE }))
}

/** It accepts every event. */
async function startReceiver(folder: string, stack: AsyncDisposableStack) {
  const { ca, valid } = await newTlsCertificates([`*.${RECEIVER_DOMAIN}`])
  const { port } = stack.use(await startWebhookReceiver(valid, (socket) => void socket.write(answerOf(204))))
  const caFile = path.join(folder, 'receiver-ca.pem')
  await writeFile(caFile, ca)
  const environment = { SEALWRIGHT_WEBHOOK_CA_FILE: caFile, SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
  return { port, environment }
}

function settingsOf(databaseUrl: string, key: Buffer): Record<string, string> {
  return {
    SEALWRIGHT_DATABASE_URL: databaseUrl,
    SEALWRIGHT_INSTALLATION_KEY: key.toString('base64'),
    SEALWRIGHT_METRICS_PORT: '0',
    SEALWRIGHT_MAIL_KEEP: 'true',
    SEALWRIGHT_KUBE_NAMESPACE: NAMESPACE,
    SEALWRIGHT_MIRROR_SWEEP_INTERVAL: `${SWEEP_SECONDS}s`,
    SEALWRIGHT_LEASE_DURATION: `${LEASE_SECONDS}s`,
    SEALWRIGHT_LEASE_RENEW_DEADLINE: '4s',
    SEALWRIGHT_LEASE_RETRY_PERIOD: '1s',
    SEALWRIGHT_WEBHOOK_MAX_PER_ORG: '1000',
    SEALWRIGHT_WEBHOOK_SECRET_GRACE: `${GRACE_SECONDS}s`,
    SEALWRIGHT_WEBHOOK_TIMEOUT: '5s',
  }
}

function openPool(url: string, role: 'sealwright_api' | 'sealwright_system', stack: AsyncDisposableStack): Database {
  const database = openDatabase({ url, pool: 5, role })
  stack.defer(() => database.end({ timeout: 1 }))
  return database
}

function newCore(database: Database, key: Buffer, environment: Record<string, string>): StorelessCore {
  return {
    database,
    keys: deriveInstallationKeys(key),
    settings: { ...readSettings(environment).settings, publicUrl: 'http://127.0.0.1' },
    log: openLog('silent', '/dev/null'),
  }
}

async function addAdmin(system: StorelessCore, databaseUrl: string): Promise<PersonCaller> {
  const admin = { email: ADMIN_EMAIL, name: 'Administrator', password: null }
  const { orgId } = await createOrganisation(system, { name: 'Soak', admin })
  const [person] = await ask(databaseUrl, (sql) => sql<{ id: string }[]>`select id from people where email = ${ADMIN_EMAIL}`)
  const origin = { address: null, userAgent: null }
  return {
    kind: 'person',
    orgId,
    personId: PersonId.parse(person?.id),
    role: 'ADMIN',
    email: ADMIN_EMAIL,
    name: 'Administrator',
    origin,
  }
}
