// `sealwright migrate --installation-key-secret`: the Secret that the first installation in a namespace creates.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureKeySecret } from '#core/installation/key-secret.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type CommandResult, runInProcess } from '../support/clients/command-line.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

interface Secret {
  immutable?: boolean
  metadata: { uid: string; ownerReferences?: unknown[] }
  data: Record<string, string>
}

const { name: namespace, kube, kubeconfig } = await kubeNamespace()
let database: TestDatabase
beforeAll(async () => void (database = await testDatabase()))
afterAll(() => database[Symbol.asyncDispose]())

const pathOf = (name: string) => objectPath(SECRETS, namespace, name)
const read = (name: string) => kube.requests.request<Secret>({ method: 'GET', path: pathOf(name) })
const remove = (name: string) => kube.requests.request({ method: 'DELETE', path: pathOf(name) })
const create = (name: string, data: Record<string, string>) =>
  kube.requests.request({
    method: 'POST',
    path: objectPath(SECRETS, namespace),
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: data },
  })

function migrate(name: string, url = database.url): Promise<CommandResult> {
  const settings = { SEALWRIGHT_DATABASE_URL: url, SEALWRIGHT_KUBECONFIG: kubeconfig, SEALWRIGHT_KUBE_NAMESPACE: namespace }
  return runInProcess(settings, ['migrate', '--installation-key-secret', name, '--json'])
}

test('the first run creates an immutable Secret without an owner; later ones find it, and never print the key', async () => {
  const first = await migrate('kept')
  expect(first.stderr).toBe('')
  expect(JSON.parse(first.stdout)).toEqual({ applied: [], secret: { namespace, name: 'kept', created: true } })
  const { immutable, metadata, data } = await read('kept')
  expect([immutable, metadata.ownerReferences, Object.keys(data)]).toEqual([true, undefined, ['installation-key']])
  const key = Buffer.from(data['installation-key']!, 'base64').toString()
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  const second = await migrate('kept')
  expect(JSON.parse(second.stdout).secret.created).toBe(false)
  expect((await read('kept')).metadata.uid).toBe(metadata.uid)
  expect(first.stdout + second.stdout).not.toContain(key)
})

test('of two runs at the same time one creates it, and both end with its key', async () => {
  await using other = await testDatabase()
  const run = () => ensureKeySecret({ database: other.system }, kube.requests, { namespace, name: 'raced' })
  const outcomes = await Promise.all([run(), run(), run()])
  expect(outcomes.filter(({ created }) => created)).toHaveLength(1)
})

test('a lost Secret is not replaced: another key could not read the database', async () => {
  await remove('kept')
  const { code, stderr } = await migrate('kept')
  expect([code, stderr]).toEqual([
    1,
    `The Secret ${namespace}/kept is missing, but the database was set up with its key. Restore the Secret.\n`,
  ])
  await expect(read('kept')).rejects.toMatchObject({ status: 404 })
})

test.each([
  {
    what: 'another key',
    data: { 'installation-key': Buffer.alloc(32, 7).toString('base64') },
    says: 'the database was set up with a different key',
  },
  { what: 'no key', data: { key: 'x' }, says: 'has no key installation-key' },
  { what: 'something else', data: { 'installation-key': 'secret text' }, says: 'does not contain an installation key' },
])('a Secret with $what is refused', async ({ what, data, says }) => {
  const name = what.replaceAll(' ', '-')
  await create(name, data)
  const { code, stderr } = await migrate(name)
  expect(code).toBe(1)
  expect(stderr).toContain(says)
  expect(stderr).not.toContain('secret text')
})
