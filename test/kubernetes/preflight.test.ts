// The check before an upgrade, with the rights that the chart gives it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { z } from 'zod'
import { checkDefinitions } from '../../controller/preflight/check-definitions.ts'
import { checkObjects } from '../../controller/preflight/check-objects.ts'
import { preflight } from '../../controller/preflight/preflight.ts'
import { WEBHOOK_SUBSCRIPTION_KIND, WEBHOOK_SUBSCRIPTIONS } from '../../controller/webhook-subscription/resource.ts'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { MINIMAL } from '../chart/profiles.ts'
import { webhookSpec } from '../support/builders/custom-resources.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()
const KIND = WEBHOOK_SUBSCRIPTION_KIND

let database: TestDatabase
let kubeconfig: string
beforeAll(async () => {
  database = await testDatabase()
  const objects = objectsIn(await renderChart({ args: ['--values', MINIMAL], namespace }))
  await applyManifests(
    kube.requests,
    objects.filter(
      ({ kind, metadata }) => /Role|^ServiceAccount$/.test(kind) && metadata.name.startsWith('sealwright-preflight'),
    ),
  )
  kubeconfig = (await serviceAccountKubeconfig('sealwright-preflight')).kubeconfig
  const { group, version, kind } = WEBHOOK_SUBSCRIPTIONS
  for (const name of ['one', 'two']) {
    const body = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name },
      spec: webhookSpec({ description: 'Stored before the upgrade' }),
    }
    await kube.requests.request({ method: 'POST', path: objectPath(WEBHOOK_SUBSCRIPTIONS, namespace), body })
  }
})
afterAll(() => database[Symbol.asyncDispose]())

const check = (databaseUrl: string) =>
  preflight(
    readSettings({
      SEALWRIGHT_KUBECONFIG: kubeconfig,
      SEALWRIGHT_KUBE_NAMESPACE: namespace,
      SEALWRIGHT_DATABASE_URL: databaseUrl,
    }).settings,
  )

test('an upgrade that can succeed may begin', async () => {
  expect(await check(database.url)).toEqual(['no migrations to apply', 'the upgrade can begin'])
})

describe('an upgrade is refused', () => {
  test('while the database does not answer', async () => {
    await expect(check(`postgres://u:p@127.0.0.1:${await freePort()}/d`)).rejects.toThrow('SEALWRIGHT_DATABASE_URL')
  })

  test('when the schema is newer than the new version', async () => {
    await using other = await testDatabase()
    await other.owner`insert into migrations (version, name, digest) values (9999, '9999_later.sql', 'x')`
    await expect(check(other.url)).rejects.toThrow('9999_later.sql')
  })

  test('when the new definition does not accept stored objects, each with its field', async () => {
    await using own = await openKube({ kubeconfig })
    const next = { ...KIND, spec: z.object({ description: z.string().max(3) }) }
    const problems = await checkObjects(own.requests, next, namespace)
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatch(new RegExp(`^WebhookSubscription ${namespace}/one does not fit this version: spec.description: `))
    expect(await checkObjects(own.requests, KIND, namespace)).toEqual([])
  })

  test('when objects are stored in a version that is gone', async () => {
    await using own = await openKube({ kubeconfig })
    const next = { ...KIND, resource: { ...KIND.resource, version: 'v1' } }
    expect(await checkDefinitions(own.requests, [next])).toEqual([
      'webhooksubscriptions.sealwright.io stores objects as v1alpha1, which this version does not read. Upgrade in smaller steps.',
    ])
    expect(await checkDefinitions(own.requests, [KIND])).toEqual([])
  })
})
