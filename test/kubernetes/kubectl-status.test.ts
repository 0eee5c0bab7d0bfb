// What `kubectl sealwright` shows, collects and lets a person decide.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import { SIGNING_KEYS, type SigningKeyObject } from '../../controller/signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import { keySpec, ORG_ID, webhookSpec } from '../support/builders/custom-resources.ts'
import { condition, openPlugin } from '../support/clients/kubectl-plugin.ts'

const { namespace, kubeconfig, folder, plugin, create, read, patch } = await openPlugin()

const LEASES: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }
const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod' }
const SERVICE_ACCOUNTS: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount' }
const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

const readWebhook = (name: string) => read<WebhookSubscription>(WEBHOOK_SUBSCRIPTIONS, name)
const readKey = (name: string) => read<SigningKeyObject>(SIGNING_KEYS, name)

beforeAll(async () => {
  await create(WEBHOOK_SUBSCRIPTIONS, 'billing', { spec: webhookSpec({ url: 'https://hooks.example.com/T0/very-private' }) })
  await create(SIGNING_KEYS, 'seal', { spec: keySpec({ state: 'Active' }) })
  await patch(
    WEBHOOK_SUBSCRIPTIONS,
    'billing',
    { status: { conditions: [condition('Ready', 'False', 'LimitExceeded')] } },
    'status',
  )
})

describe('decisions', () => {
  test('adopt and resolve write the annotations that the controller reads', async () => {
    expect(await plugin('adopt', 'billing', '--subscription', ORG_ID.toUpperCase())).toMatchObject({ code: 0 })
    expect(await plugin('resolve', 'billing', '--from-row')).toMatchObject({ code: 0 })
    expect((await readWebhook('billing')).metadata.annotations).toEqual({
      'sealwright.io/adopt': ORG_ID,
      'sealwright.io/resolve': 'from-row',
    })
  })

  test('resolve --wait ends when the annotation is gone and both agree', async () => {
    const command = plugin('resolve', 'skey/seal', '--from-object', '--wait', '--timeout', '20')
    const resolution = async () => (await readKey('seal')).metadata.annotations?.['sealwright.io/resolve']
    await expect.poll(resolution, { interval: 100 }).toBe('from-object')
    const { metadata } = await readKey('seal')
    const status = { observedGeneration: metadata.generation, conditions: [condition('Synced', 'True', 'Synced')] }
    await patch(SIGNING_KEYS, 'seal', { status }, 'status')
    await patch(SIGNING_KEYS, 'seal', { metadata: { annotations: { 'sealwright.io/resolve': null } } })
    expect(await command).toMatchObject({ code: 0, stdout: expect.stringContaining('Synced is True (Synced)') })
  })

  test('a name of both kinds needs a prefix', async () => {
    await create(WEBHOOK_SUBSCRIPTIONS, 'seal', { spec: webhookSpec() })
    expect(await plugin('resolve', 'seal', '--from-row')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('write whsub/seal or skey/seal'),
    })
    expect(await plugin('resolve', 'whsub/seal', '--from-row')).toMatchObject({ code: 0 })
    expect(await plugin('resolve', 'pod/seal', '--from-row')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('whsub/NAME or skey/NAME'),
    })
  })
})

describe('status', () => {
  test('shows leader, outbox and what needs attention, with exit code 1', async () => {
    const renewTime = `${new Date().toISOString().slice(0, -1)}000Z`
    await create(LEASES, 'sealwright-controller', {
      spec: { holderIdentity: 'controller-a', renewTime, leaseDurationSeconds: 15 },
    })
    const orphans = JSON.stringify([{ kind: 'WebhookSubscription', id: ORG_ID, namespace, name: 'lost', since: renewTime }])
    await create(CONFIG_MAPS, 'sealwright-status', {
      data: { leader: 'controller-a', outboxAgeSeconds: '10', orphans, problems: '[]' },
    })
    const { code, stdout } = await plugin('status')
    expect(code).toBe(1)
    expect(stdout).toContain('leader: controller-a\noutbox: oldest change 10 s\n')
    expect(stdout).toContain('billing: LimitExceeded: LimitExceeded it is.')
    expect(stdout).toContain(`${namespace}/lost: Orphaned: `)
    expect(stdout).toContain('Something needs attention.')
  })

  test('--json has the same for programs', async () => {
    expect(JSON.parse((await plugin('status', '--json')).stdout)).toMatchObject({
      ok: false,
      namespace,
      leader: { holder: 'controller-a' },
      outboxAgeSeconds: 10,
      controller: [],
      counts: { webhooks: 2, keys: 1 },
      orphans: [{ object: `${namespace}/lost` }],
    })
  })
})

test('a support bundle has no Secret, no path of a URL, no environment and no description', async () => {
  // Without a controller manager a namespace has none, and a pod needs one.
  await create(SERVICE_ACCOUNTS, 'default', {})
  await create(PODS, 'sealwright-api-1', {
    metadata: {
      name: 'sealwright-api-1',
      labels: { 'app.kubernetes.io/name': 'sealwright', 'app.kubernetes.io/component': 'api' },
    },
    spec: { containers: [{ name: 'api', image: 'registry.example/x', env: [{ name: 'PASSWORD', value: 'very-private' }] }] },
  })
  const last = { reason: 'Error', exitCode: 1, message: 'very-private', finishedAt: '2026-01-31T12:00:00Z' }
  const container = {
    name: 'api',
    ready: false,
    restartCount: 3,
    image: 'x',
    imageID: 'x@sha256:1',
    lastState: { terminated: last },
  }
  await patch(PODS, 'sealwright-api-1', { status: { phase: 'Running', containerStatuses: [container] } }, 'status')
  await create(SECRETS, 'billing-secret', { stringData: { secret: 'whsec_in-the-cluster' } })
  await patch(WEBHOOK_SUBSCRIPTIONS, 'billing', { spec: { description: 'For Ada Tenant' } })
  const { code, stdout } = await plugin('support-bundle', '--output', 'bundle')
  expect(code).toBe(0)
  expect(stdout).toContain(`wrote ${path.join(folder, 'bundle')}`)
  const files = await readdir(path.join(folder, 'bundle'))
  expect(files.toSorted()).toEqual([
    'customresourcedefinitions.json',
    'events.json',
    'lease.json',
    'pods.json',
    'signingkeys.json',
    'status.json',
    'versions.json',
    'webhooksubscriptions.json',
  ])
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, 'bundle', file), 'utf8')))
  expect(texts.join('')).not.toMatch(/very-private|Ada Tenant|whsec_/)
  expect(texts.join('')).toContain('https://hooks.example.com/[redacted]')
  expect(JSON.parse(texts[files.indexOf('pods.json')]!)).toMatchObject([
    { name: 'sealwright-api-1', component: 'api', containers: [{ restartCount: 3, lastEnd: { reason: 'Error', exitCode: 1 } }] },
  ])
  expect((await stat(path.join(folder, 'bundle', 'status.json'))).mode & 0o077).toBe(0)
  expect(await plugin('support-bundle', '--output', 'bundle')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--output'),
  })
})

describe('what cannot be done', () => {
  test('is said with the name and the namespace', async () => {
    expect(await plugin('webhook', 'suspend', 'nothing')).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no WebhookSubscription nothing in the namespace ${namespace}.\n`,
    })
  })

  test.each([
    [['resolve', 'billing'], '--from-row or --from-object'],
    [['resolve', 'billing', '--from-row', '--from-object'], 'cannot be used with'],
    [['adopt', 'billing', '--subscription', '1'], 'not the id of a webhook'],
    [['adopt', 'billing'], '--subscription'],
    [['webhook', 'probe', 'billing', '--timeout', '0'], 'not a number of seconds'],
    [['webhook', 'destroy', 'billing'], 'unknown command'],
  ])('wrong usage has exit code 2: %s', async (args, message) => {
    expect(await plugin(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('an API server that is away is named, without a stack', async () => {
    const away = path.join(folder, 'away')
    await writeFile(
      away,
      JSON.stringify({
        'current-context': 'away',
        contexts: [{ name: 'away', context: { cluster: 'away' } }],
        clusters: [{ name: 'away', cluster: { server: 'https://127.0.0.1:1' } }],
      }),
    )
    const result = await plugin('status', '--kubeconfig', away)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^The API server cannot be used: [^\n]*127\.0\.0\.1:1\n$/)
  })
})

test('kubectl finds and runs the plugin', async () => {
  const bin = await mkdtemp(path.join(tmpdir(), 'sealwright-bin-'))
  await symlink(path.resolve('hack/kubectl-sealwright.mjs'), path.join(bin, 'kubectl-sealwright'))
  const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: `${bin}:${process.env['PATH']}` }
  const run = promisify(execFile)(inject('kubectl'), ['sealwright', 'key', 'show', 'seal', '-n', namespace, '--json'], { env })
  expect(JSON.parse((await run).stdout)).toMatchObject({ name: 'seal', namespace, spec: { state: 'Active' } })
})
