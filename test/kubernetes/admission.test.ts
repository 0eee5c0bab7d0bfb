// The admission policies that we ship: who may change what Postgres decides.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type Kube, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { SIGNING_KEY_KIND, SIGNING_KEYS } from '../../controller/signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTION_KIND, WEBHOOK_SUBSCRIPTIONS } from '../../controller/webhook-subscription/resource.ts'
import { structuralSchema } from '../../hack/crds/crd.ts'
import { keySpec, ORG_ID, webhookSpec } from '../support/builders/custom-resources.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const { name: namespace, kube: admin, serviceAccountKubeconfig } = await kubeNamespace({ admission: true })
const controller = await openKube(await serviceAccountKubeconfig('sealwright-controller'))

const WEBHOOK = `api-${ORG_ID}`
const KEY = 'installation'
const LABELS = { 'sealwright.io/org-id': ORG_ID, 'sealwright.io/subscription-id': ORG_ID }
const INSTALLATION = { origin: 'API', provider: { type: 'Installation' } }
const PANEL = webhookSpec({ origin: 'API', description: 'From the panel' })

function create(
  kube: Kube,
  { group, version, kind, plural }: Resource,
  name: string,
  spec: object,
  query: { dryRun?: string } = {},
) {
  const body = { apiVersion: `${group}/${version}`, kind, metadata: { name, labels: LABELS }, spec }
  return kube.requests.request<KubeObject>({
    method: 'POST',
    path: objectPath({ group, version, kind, plural }, namespace),
    query,
    body,
  })
}

/** Asks whether the change would be accepted. */
function change(kube: Kube, resource: Resource, name: string, body: object) {
  const path = objectPath(resource, namespace, name)
  return kube.requests.request<KubeObject>({
    method: 'PATCH',
    path,
    query: { dryRun: 'All' },
    contentType: 'application/merge-patch+json',
    body,
  })
}

beforeAll(async () => {
  await create(controller, WEBHOOK_SUBSCRIPTIONS, WEBHOOK, PANEL)
  await create(controller, SIGNING_KEYS, KEY, INSTALLATION)
  // A policy takes effect some time after its creation.
  for (const [resource, spec] of [
    [WEBHOOK_SUBSCRIPTIONS, PANEL],
    [SIGNING_KEYS, INSTALLATION],
  ] as const) {
    const refused = () => expect(create(admin, resource, 'early', spec, { dryRun: 'All' })).rejects.toThrow('early')
    await vi.waitFor(refused, { timeout: 30_000, interval: 200 })
  }
})

const REFUSED: [string, Resource, string, object, string][] = [
  [
    'the url of a webhook',
    WEBHOOK_SUBSCRIPTIONS,
    WEBHOOK,
    { spec: { url: 'https://other.example/' } },
    `PATCH /settings/api/webhooks/${ORG_ID}`,
  ],
  [
    'its events',
    WEBHOOK_SUBSCRIPTIONS,
    WEBHOOK,
    { spec: { events: ['signer.signed'] } },
    'This webhook was created in the panel',
  ],
  ['its description', WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { description: 'x' } }, 'This webhook was created in the panel'],
  ['its description, by removing it', WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { description: null } }, 'created in the panel'],
  [
    'its organisation label',
    WEBHOOK_SUBSCRIPTIONS,
    WEBHOOK,
    { metadata: { labels: { 'sealwright.io/org-id': 'x' } } },
    'sealwright.io/org-id',
  ],
  [
    'its id label',
    WEBHOOK_SUBSCRIPTIONS,
    WEBHOOK,
    { metadata: { labels: { 'sealwright.io/subscription-id': null } } },
    'subscription-id',
  ],
  ['the state of a key', SIGNING_KEYS, KEY, { spec: { state: 'Retired' } }, 'sealwright key import'],
  ['its compromise', SIGNING_KEYS, KEY, { spec: { compromisedSince: '2026-01-01T00:00:00Z' } }, 'sealwright key import'],
]

const ACCEPTED: [string, Resource, string, object][] = [
  ['suspends a webhook', WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { suspend: true } }],
  ['rotates its secret', WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { rotation: { request: '1' } } }],
  ['probes it', WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { probe: { request: '1' } } }],
  [
    'labels it',
    WEBHOOK_SUBSCRIPTIONS,
    WEBHOOK,
    { metadata: { labels: { team: 'billing' }, annotations: { 'sealwright.io/resolve': 'from-row' } } },
  ],
  ['rotates a key', SIGNING_KEYS, KEY, { spec: { rotation: { request: '1' } } }],
]

describe('of an object that Postgres decides, a user', () => {
  test.each(REFUSED)('cannot change %s', async (_, resource, name, body, because) => {
    await expect(change(admin, resource, name, body)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(because),
    })
  })

  test.each(ACCEPTED)('%s', async (_, resource, name, body) => {
    expect((await change(admin, resource, name, body)).metadata.name).toBe(name)
  })

  test.each([
    [WEBHOOK_SUBSCRIPTIONS, PANEL, 'Create the webhook in the panel'],
    [SIGNING_KEYS, INSTALLATION, 'sealwright key import'],
  ] as const)('cannot create one: %s', async (resource, spec, because) => {
    await expect(create(admin, resource, 'made-up', spec)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(because),
    })
  })

  test('can delete one: it comes back', async () => {
    const path = objectPath(WEBHOOK_SUBSCRIPTIONS, namespace, WEBHOOK)
    await admin.requests.request({ method: 'DELETE', path, query: { dryRun: 'All' } })
  })
})

test('the controller changes what Postgres decides', async () => {
  await change(controller, WEBHOOK_SUBSCRIPTIONS, WEBHOOK, { spec: { url: 'https://other.example/' } })
  await change(controller, SIGNING_KEYS, KEY, { spec: { state: 'Retired' } })
})

test("objects managed in Kubernetes are the user's", async () => {
  await create(admin, WEBHOOK_SUBSCRIPTIONS, 'own', webhookSpec())
  await change(admin, WEBHOOK_SUBSCRIPTIONS, 'own', { spec: { url: 'https://other.example/' } })
  await create(admin, SIGNING_KEYS, 'own', keySpec())
  await change(admin, SIGNING_KEYS, 'own', { spec: { state: 'Retired' } })
})

test.each([
  [WEBHOOK_SUBSCRIPTION_KIND, ['origin', 'suspend', 'rotation', 'probe']],
  [SIGNING_KEY_KIND, ['origin']],
] as const)("the policy names every field that is not the user's: $resource.kind", async ({ resource, spec }, others) => {
  const policy = await readFile(`crds/admission/${resource.plural}.yaml`, 'utf8')
  const fields = Object.keys(structuralSchema(spec).properties ?? {}).filter((field) => !others.some((other) => other === field))
  for (const field of fields) expect(policy, field).toMatch(new RegExp(`object\\.spec\\.\\??${field}\\b`))
})
