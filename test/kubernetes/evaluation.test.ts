// The commands of the evaluation profile, with the rights that the chart gives them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSecret } from '#core/platform/kubernetes/secret-calls.ts'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { startVersitygw } from '../../hack/servers/versitygw.ts'
import { EVALUATION } from '../chart/profiles.ts'
import { runInProcess } from '../support/clients/command-line.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()
const SECRET = 'sealwright-evaluation'

let database: TestDatabase
let settings: Record<string, string>
beforeAll(async () => {
  database = await testDatabase()
  const objects = objectsIn(await renderChart({ args: EVALUATION.args, namespace }))
  await applyManifests(
    kube.requests,
    objects.filter(({ kind, metadata }) => /^Role|^ServiceAccount$/.test(kind) && metadata.name === 'sealwright-migrate'),
  )
  const { kubeconfig } = await serviceAccountKubeconfig('sealwright-migrate')
  settings = {
    SEALWRIGHT_KUBECONFIG: kubeconfig,
    SEALWRIGHT_KUBE_NAMESPACE: namespace,
    SEALWRIGHT_DATABASE_URL: database.url,
    SEALWRIGHT_PUBLIC_URL: 'http://127.0.0.1:8080',
  }
})
afterAll(() => database[Symbol.asyncDispose]())

const evaluation = (...args: string[]) => runInProcess(settings, ['evaluation', ...args])
const secretNamed = (name: string) => readSecret(kube.requests, { namespace, name })

function prepare(objectStore: string, wait: string) {
  const hosts = ['--database-host', 'sealwright-postgres', '--receiver-host', 'sealwright-test.ns.svc']
  return evaluation(
    'prepare',
    '--secret',
    SECRET,
    ...hosts,
    '--object-store',
    objectStore,
    '--bucket',
    'sealwright',
    '--wait',
    wait,
  )
}

test('prepare creates the Secret once, waits for the store, and creates the bucket', async () => {
  const closed = `http://127.0.0.1:${await freePort()}`
  expect(await prepare(closed, '1s')).toMatchObject({ code: 1, stderr: `The object store ${closed} does not answer.\n` })
  const secret = (await secretNamed(SECRET))!
  expect(secret['databaseUrl']).toBe(`postgres://sealwright:${secret['databasePassword']}@sealwright-postgres:5432/sealwright`)
  expect(secret['receiver.pem']).toMatch(/^-----BEGIN PRIVATE KEY-----[^]+-----BEGIN CERTIFICATE-----/)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-s3-'))
  const credentials = { accessKeyId: secret['accessKeyId']!, secretAccessKey: secret['secretAccessKey']! }
  const store = await startVersitygw({ dataDir, credentials })
  try {
    for (const _ of ['first', 'second']) expect(await prepare(store.endpoint, '30s')).toMatchObject({ code: 0, stderr: '' })
    const client = new S3Client({ endpoint: store.endpoint, region: store.region, credentials, forcePathStyle: true })
    await client.send(new HeadBucketCommand({ Bucket: 'sealwright' }))
    client.destroy()
  } finally {
    await store.stop()
    await rm(dataDir, { recursive: true })
  }
  expect(await secretNamed(SECRET)).toEqual(secret)
})

test('first-run needs the Secret of prepare', async () => {
  const { code, stderr } = await evaluation(
    'first-run',
    '--secret',
    'other-first-run',
    '--evaluation-secret',
    SECRET.replace('evaluation', 'first-run'),
  )
  expect([code, stderr]).toEqual([
    1,
    `The Secret ${namespace}/sealwright-first-run is missing: run "sealwright evaluation prepare" first.\n`,
  ])
})

test('first-run writes dev.json once, and with a new credential when the Secret was lost', async () => {
  const firstRun = () => evaluation('first-run', '--secret', 'sealwright-first-run', '--evaluation-secret', SECRET)
  const devJson = async () => JSON.parse((await secretNamed('sealwright-first-run'))!['dev.json']!)
  expect(await firstRun()).toMatchObject({ code: 0, stderr: '' })
  const dev = await devJson()
  const { adminPassword } = (await secretNamed(SECRET))!
  expect(dev).toMatchObject({
    baseUrl: 'http://127.0.0.1:8080',
    tokenUrl: 'http://127.0.0.1:8080/oauth2/token',
    settingsUrl: 'http://127.0.0.1:8080/settings',
    adminEmail: 'admin@example.test',
    adminPassword,
  })
  expect(await firstRun()).toMatchObject({ code: 0 })
  expect(await devJson()).toEqual(dev)
  await kube.requests.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}/secrets/sealwright-first-run` })
  expect(await firstRun()).toMatchObject({ code: 0 })
  const again = await devJson()
  expect({ ...again, clientId: '', clientSecret: '' }).toEqual({ ...dev, clientId: '', clientSecret: '' })
  expect(again.clientSecret).not.toBe(dev.clientSecret)
})

test('the migration may read no other Secret and list none', async () => {
  const path = `/api/v1/namespaces/${namespace}/secrets`
  const { openKube } = await import('#core/platform/kubernetes/open-kube.ts')
  await using own = await openKube({ kubeconfig: settings['SEALWRIGHT_KUBECONFIG']! })
  await expect(own.requests.request({ method: 'GET', path })).rejects.toThrow('cannot list resource "secrets"')
  await expect(own.requests.request({ method: 'GET', path: `${path}/sealwright-database` })).rejects.toThrow(
    'cannot get resource',
  )
})
