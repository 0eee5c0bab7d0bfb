// Two releases in two namespaces do not touch each other, and a namespace ends with everything in it, whether its controller lives or not.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customResources, KEY, WEBHOOK } from '../../support/builders/kind-objects.ts'
import { pdfFixture } from '../../support/builders/pdf-fixtures.ts'
import { ask } from '../../support/clients/ask.ts'
import { finalizersOf } from '../../support/clients/kind-cluster.ts'
import { installEvaluation, type Release } from '../../support/clients/kind-release.ts'
import { signSteadily } from '../../support/clients/steady-envelopes.ts'
import { assertSealedOnce } from '../../support/invariants/sealed-in-release.ts'

const NAMESPACES = ['kind-first', 'kind-second'] as const
const DELETED_WITHIN_SECONDS = 60
const RECONCILED = { timeout: 60_000, interval: 500 }

let first: Release
let second: Release
beforeAll(async () => {
  first = await installEvaluation(NAMESPACES[0])
  second = await installEvaluation(NAMESPACES[1])
})
afterAll(async () => {
  for (const { cluster } of [first, second]) await cluster.deleteNamespace()
})

async function signFor(release: Release, ms: number): Promise<void> {
  const clients = signSteadily(release.dev, await readFile(pdfFixture('libreoffice.pdf')), 1)
  await delay(ms)
  const { signed, failures } = await clients.stop()
  expect(failures).toEqual([])
  expect(signed.length).toBeGreaterThan(0)
  await assertSealedOnce(release, signed)
}

/** The objects that Postgres knows, as `namespace/name`. */
async function knownObjects({ forwardDatabase }: Release): Promise<string[]> {
  await using database = await forwardDatabase()
  const rows = await ask(
    database.url,
    (sql) => sql<{ object: string }[]>`
      select object_namespace || '/' || object_name as object
      from (select origin, object_namespace, object_name from webhooks
        union all select origin, object_namespace, object_name from signing_keys) mirrored
      where origin = 'KUBERNETES'
      order by object`,
  )
  return rows.map(({ object }) => object)
}

async function create(release: Release, namespace: string): Promise<void> {
  expect(await release.cluster.apply(customResources(release.dev, namespace))).toMatchObject({ exitCode: 0 })
}

async function isHeld({ cluster }: Release): Promise<boolean> {
  const all = await Promise.all([WEBHOOK, KEY].map((name) => finalizersOf(cluster, name)))
  return all.every((finalizers) => finalizers.length > 0)
}

/** Deletes the namespace, which has to end within the time that the contract allows. */
async function deleteWithin({ cluster }: Release, namespace: string): Promise<void> {
  const startedAt = performance.now()
  const deleted = await cluster.kubectl('delete', 'namespace', namespace, '--timeout', `${DELETED_WITHIN_SECONDS}s`)
  console.log(`${namespace} was deleted in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  expect([deleted.exitCode, deleted.stderr]).toEqual([0, expect.any(String)])
}

test('each controller sees to the custom resources of its own namespace, and each release seals', async () => {
  await create(first, NAMESPACES[0])
  await create(second, NAMESPACES[1])
  for (const [index, release] of [first, second].entries()) {
    await expect.poll(() => isHeld(release), RECONCILED).toBe(true)
    const objects = [`${NAMESPACES[index]}/billing`, `${NAMESPACES[index]}/test-seal`]
    await expect.poll(() => knownObjects(release), RECONCILED).toEqual(objects)
    await signFor(release, 3000)
  }
})

test('a controller that is scaled to zero lets go of its objects, and its namespace ends within 60 s', async () => {
  expect((await second.cluster.kubectl('scale', 'deployment/sealwright-controller', '--replicas', '0')).exitCode).toBe(0)
  await expect.poll(() => isHeld(second), RECONCILED).toBe(false)
  await second.cluster.kubectl(
    'wait',
    '--for=delete',
    'pod',
    '--selector',
    'app.kubernetes.io/component=controller',
    '--timeout',
    '60s',
  )
  await deleteWithin(second, NAMESPACES[1])
})

test('the other release has not noticed it', async () => {
  expect(await isHeld(first)).toBe(true)
  await signFor(first, 3000)
})

test('a namespace with its controller alive ends within 60 s', async () => {
  expect(await isHeld(first)).toBe(true)
  await deleteWithin(first, NAMESPACES[0])
})
