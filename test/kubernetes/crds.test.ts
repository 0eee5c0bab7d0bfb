// Every rule of the custom resources on a real API server, and what kubectl shows of them.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { SIGNING_KEYS } from '../../controller/signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../../controller/webhook-subscription/resource.ts'
import { keySpec, ORG_ID, OTHER_ORG_ID, webhookSpec } from '../support/builders/custom-resources.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { KEY_CHANGES, KEYS } from './cases/key-cases.ts'
import { WEBHOOK_CHANGES, WEBHOOKS } from './cases/webhook-cases.ts'

const CRDS = path.join(import.meta.dirname, '../../crds')
const { name: namespace, kube, kubeconfig } = await kubeNamespace()

let count = 0
const newName = () => `object-${++count}`

/** Asks the API server whether it would create the object. */
function create(
  resource: Resource,
  name: string,
  spec: object,
  query: Record<string, string> = { dryRun: 'All' },
): Promise<KubeObject> {
  const { group, version, kind } = resource
  const body = { apiVersion: `${group}/${version}`, kind, metadata: { name, namespace }, spec }
  return kube.requests.request({ method: 'POST', path: objectPath(resource, namespace), query, body })
}

/** Asks the API server whether it would replace the specification. */
function replace(resource: Resource, { metadata, ...object }: KubeObject, spec: object): Promise<KubeObject> {
  const path = objectPath(resource, namespace, metadata.name)
  return kube.requests.request({ method: 'PUT', path, query: { dryRun: 'All' }, body: { ...object, metadata, spec } })
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(inject('kubectl'), ['--kubeconfig', kubeconfig, '--namespace', namespace, ...args])
  return stdout
}

describe.each([
  { resource: WEBHOOK_SUBSCRIPTIONS, cases: WEBHOOKS, changes: WEBHOOK_CHANGES },
  { resource: SIGNING_KEYS, cases: KEYS, changes: KEY_CHANGES },
])('$resource.kind', ({ resource, cases, changes }) => {
  test.each(cases)('$rule', async ({ accepted, refused, because }) => {
    await create(resource, 'accepted', accepted)
    await expect(create(resource, 'refused', refused)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(because),
    })
  })

  test.each(changes)('$rule', async ({ before, accepted, refused, because }) => {
    const object = await create(resource, newName(), before, {})
    await replace(resource, object, accepted)
    await expect(replace(resource, object, refused)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(because),
    })
  })

  test('a name has at most 63 characters', async () => {
    const spec = resource.kind === 'SigningKey' ? keySpec() : webhookSpec()
    await create(resource, 'x'.repeat(63), spec)
    await expect(create(resource, 'x'.repeat(64), spec)).rejects.toMatchObject({
      message: expect.stringContaining('63 characters'),
    })
  })

  test('unknown fields are pruned, with a warning of kubectl', async () => {
    const spec = resource.kind === 'SigningKey' ? keySpec() : webhookSpec()
    const created = (await create(resource, 'pruned', { ...spec, unknown: 1 })) as KubeObject & { spec: object }
    expect(created.spec).toEqual(spec)
  })
})

test('names of the panel and of the installation are reserved', async () => {
  const id = `api-${ORG_ID}`
  await create(WEBHOOK_SUBSCRIPTIONS, id, webhookSpec({ origin: 'API' }))
  await expect(create(WEBHOOK_SUBSCRIPTIONS, id, webhookSpec())).rejects.toMatchObject({
    message: expect.stringContaining('reserved for webhooks that were created in the panel'),
  })
  await create(WEBHOOK_SUBSCRIPTIONS, 'api-billing', webhookSpec())
  await create(SIGNING_KEYS, 'installation', { origin: 'API', provider: { type: 'Installation' } })
  await expect(create(SIGNING_KEYS, 'installation', keySpec())).rejects.toMatchObject({
    message: expect.stringContaining('The name installation is reserved'),
  })
})

test('every sample is accepted', async () => {
  const samples = await readdir(path.join(CRDS, 'samples'))
  expect(samples.length).toBeGreaterThanOrEqual(5)
  for (const sample of samples) await kubectl('apply', '--dry-run=server', '--filename', path.join(CRDS, 'samples', sample))
})

test('the files of the CRDs are far below the limit of etcd', async () => {
  const files = (await readdir(CRDS)).filter((file) => file.endsWith('.yaml'))
  expect(files).toEqual(['signingkeys.yaml', 'webhooksubscriptions.yaml'])
  for (const file of files) expect((await readFile(path.join(CRDS, file))).byteLength, file).toBeLessThan(100_000)
})

describe('kubectl', () => {
  const [webhook, key, other] = ['columns-webhook', 'columns-key', 'other']

  test('get shows the columns of the contract', async () => {
    await create(WEBHOOK_SUBSCRIPTIONS, webhook, webhookSpec({ suspend: true }), {})
    await create(SIGNING_KEYS, key, keySpec({ state: 'Standby' }), {})
    await create(WEBHOOK_SUBSCRIPTIONS, other, webhookSpec({ origin: 'API' }), {})
    await create(SIGNING_KEYS, other, keySpec({ orgId: OTHER_ORG_ID }), {})
    await patchStatus(WEBHOOK_SUBSCRIPTIONS, webhook, {
      subscriptionId: ORG_ID,
      conditions: [
        condition('Ready', 'True', 'Suspended'),
        condition('EndpointHealthy', 'Unknown', 'NoTraffic'),
        condition('Suspended', 'True', 'BySpec'),
      ],
      health: { consecutiveExhausted: 0, nextProbeTime: '2126-01-01T00:00:00Z' },
      secret: { revision: 1, previousValidUntil: '2126-01-02T00:00:00Z' },
    })
    await patchStatus(SIGNING_KEYS, key, {
      active: { version: 3, fingerprint: 'ab12', issuer: 'CN=Test', notAfter: '2126-01-01T00:00:00Z' },
      loadedBy: '2/2',
      conditions: [condition('Ready', 'False', 'Expired')],
    })
    expect(await table('get', 'whsub', webhook)).toEqual([
      ['NAME', 'ORG', 'READY', 'REASON', 'HEALTHY', 'SUSPENDED', 'AGE'],
      [webhook, ORG_ID, 'True', 'Suspended', 'Unknown', 'True', 'AGE'],
    ])
    expect(await table('get', 'whsub', webhook, '-o', 'wide')).toEqual([
      [
        'NAME',
        'ORG',
        'READY',
        'REASON',
        'HEALTHY',
        'SUSPENDED',
        'AGE',
        'URL',
        'NEXT PROBE',
        'PREVIOUS SECRET UNTIL',
        'SUBSCRIPTION',
      ],
      [
        webhook,
        ORG_ID,
        'True',
        'Suspended',
        'Unknown',
        'True',
        'AGE',
        'https://hooks.example.com/',
        '2126-01-01T00:00:00Z',
        '2126-01-02T00:00:00Z',
        ORG_ID,
      ],
    ])
    expect(await table('get', 'skey', key)).toEqual([
      ['NAME', 'PROVIDER', 'STATE', 'READY', 'REASON', 'VERSION', 'EXPIRES', 'AGE'],
      [key, 'PKCS12', 'Standby', 'False', 'Expired', '3', '2126-01-01T00:00:00Z', 'AGE'],
    ])
    expect((await table('get', 'skey', key, '-o', 'wide')).map((row) => row.slice(8))).toEqual([
      ['FINGERPRINT', 'ISSUER', 'LOADED'],
      ['ab12', 'CN=Test', '2/2'],
    ])
  })

  test('get sealwright lists both kinds', async () => {
    const names = await kubectl('get', 'sealwright', '-o', 'name')
    expect(names).toContain(`webhooksubscription.sealwright.io/${webhook}`)
    expect(names).toContain(`signingkey.sealwright.io/${key}`)
  })

  test.each([
    ['whsub', `spec.orgId=${ORG_ID},spec.suspend=true`, webhook, other],
    ['whsub', `status.subscriptionId=${ORG_ID}`, webhook, other],
    ['whsub', 'spec.origin=API', other, webhook],
    ['skey', `spec.orgId=${OTHER_ORG_ID}`, other, key],
    ['skey', 'spec.state=Standby,spec.provider.type=PKCS12', key, other],
  ])('get %s selects by %s', async (kind, selector, selected, left) => {
    const answer = await kubectl('get', kind, '--field-selector', selector, '-o', 'name')
    const names = answer.split('\n').map((each) => each.split('/').at(-1))
    expect(names).toContain(selected)
    expect(names).not.toContain(left)
  })

  test('explain reads like documentation', async () => {
    expect(await kubectl('explain', 'whsub.spec.rotation.request')).toContain('A new value generates a new signing secret')
    expect(await kubectl('explain', 'skey.status.loadedBy')).toContain('How many of the live seal workers')
    for (const field of ['whsub.spec', 'whsub.status', 'skey.spec', 'skey.status', 'skey.spec.provider'])
      expect(await kubectl('explain', field), field).not.toContain('<no description>')
  })

  test('a status holds each condition once', async () => {
    const twice = { conditions: [condition('Ready', 'True', 'Ready'), condition('Ready', 'False', 'Expired')] }
    await expect(patchStatus(WEBHOOK_SUBSCRIPTIONS, webhook, twice)).rejects.toMatchObject({
      message: expect.stringContaining('Duplicate value'),
    })
  })

  test('a reason is one word', async () => {
    await expect(
      patchStatus(WEBHOOK_SUBSCRIPTIONS, webhook, { conditions: [condition('Ready', 'True', 'Not a word')] }),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('status.conditions[0].reason') })
  })
})

function condition(type: string, status: string, reason: string): object {
  return { type, status, reason, message: 'Because.', lastTransitionTime: '2026-01-01T00:00:00Z' }
}

function patchStatus(resource: Resource, name: string, status: object): Promise<KubeObject> {
  return kube.requests.request({
    method: 'PATCH',
    path: objectPath(resource, namespace, name, 'status'),
    contentType: 'application/merge-patch+json',
    body: { status },
  })
}

/** The cells of the table that kubectl prints; an age varies. */
async function table(...args: readonly string[]): Promise<string[][]> {
  const rows = (await kubectl(...args)).trimEnd().split('\n')
  return rows.map((row) => row.split(/ {2,}/).map((cell) => (/^\d+[smh]/.test(cell) ? 'AGE' : cell.trim())))
}
