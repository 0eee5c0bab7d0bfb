// kubectl as people use it, with the shipped roles view, edit and admin: who sees and changes what, and which changes the admission policies refuse.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customResources, hookUrl, KEY, WEBHOOK } from '../../support/builders/kind-objects.ts'
import { installEvaluation, type Release } from '../../support/clients/kind-release.ts'
import { panelClient } from '../../support/clients/panel-client.ts'

const NAMESPACE = 'kind-people'
const ROLES = ['view', 'edit', 'admin'] as const
type Role = (typeof ROLES)[number]
const SECRET = 'secret/sealwright-installation-key'
const INSTALLATION_KEY = 'signingkey/installation'

let release: Release
/** The object of a webhook that was created in the panel. */
let panelWebhook: string
beforeAll(async () => {
  release = await installEvaluation(NAMESPACE, undefined, '--set', 'userRoles.enabled=true,userRoles.aggregate=true')
  const { cluster, dev } = release
  expect(
    await cluster.apply([...customResources(dev, NAMESPACE), ...ROLES.map(bindingOf), ...ROLES.map(clusterBindingOf)]),
  ).toMatchObject({
    exitCode: 0,
  })
  const panel = panelClient(dev.baseUrl)
  expect((await panel.signIn(dev.adminEmail, dev.adminPassword)).status).toBe(200)
  const created = await panel.post('/webhooks', { url: hookUrl(NAMESPACE), eventTypes: ['envelope.sent'] })
  expect([created.status, created.body]).toEqual([201, expect.anything()])
  panelWebhook = `webhooksubscription/api-${created.body.id}`
  for (const name of [panelWebhook, INSTALLATION_KEY])
    expect(await cluster.kubectl('wait', '--for=create', name, '--timeout', '60s')).toMatchObject({ exitCode: 0 })
})
afterAll(() => release.cluster.deleteNamespace())

/** A person of the same name as the role. */
function bindingOf(role: Role): object {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: `person-${role}` },
    roleRef: { apiGroup, kind: 'Role', name: `sealwright-${role}` },
    subjects: [{ apiGroup, kind: 'User', name: `person-${role}` }],
  }
}

/** With the ClusterRole of Kubernetes of that name. */
function clusterBindingOf(role: Role): object {
  const binding = bindingOf(role)
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    ...binding,
    metadata: { name: `member-${role}` },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'User', name: `member-${role}` }],
  }
}

const as = (role: Role, ...args: readonly string[]) => release.cluster.kubectl(...args, '--as', `person-${role}`)
const patch = (name: string, body: object, ...more: readonly string[]) => [
  'patch',
  name,
  '--type',
  'merge',
  '--patch',
  JSON.stringify(body),
  ...more,
]

/** Who may do it; for the others it is forbidden. */
const RIGHTS: readonly [string, readonly Role[], readonly string[]][] = [
  ['read webhooks', ROLES, ['get', 'webhooksubscriptions']],
  ['read signing keys', ROLES, ['get', 'signingkeys']],
  ['read Events', ROLES, ['get', 'events.events.k8s.io']],
  ['read the status of the installation', ROLES, ['get', 'configmap/sealwright-status']],
  ['read a Secret', [], ['get', SECRET]],
  ['list Secrets', [], ['get', 'secrets']],
  ['change a webhook', ['edit', 'admin'], patch(WEBHOOK, { spec: { suspend: true } })],
  ['change a signing key', ['admin'], patch(KEY, { spec: { rotation: { request: 'by-hand' } } })],
  ['write the status of a webhook', [], patch(WEBHOOK, { status: { rowVersion: 9 } }, '--subresource', 'status')],
  ['write the status of a signing key', [], patch(KEY, { status: { rowVersion: 9 } }, '--subresource', 'status')],
  ['delete a signing key', ['admin'], ['delete', KEY, '--dry-run=server']],
  ['delete a webhook', ['edit', 'admin'], ['delete', WEBHOOK, '--dry-run=server']],
  ['accept a loss', ['admin'], patch('configmap/sealwright-status', { metadata: { annotations: { 'example.com/note': 'x' } } })],
]

describe('the roles allow it to whom they should', () => {
  test.each(RIGHTS)('%s', async (_name, allowed, args) => {
    for (const role of ROLES) {
      const { exitCode, stderr } = await as(role, ...args)
      const expected = allowed.includes(role) ? [0, ''] : [1, expect.stringContaining('(Forbidden)')]
      expect([role, exitCode, stderr]).toEqual([role, ...expected])
    }
  })
})

test("Kubernetes' own roles view, edit and admin have the same rights on custom resources", async () => {
  for (const [name, allowed, args] of RIGHTS.filter(([title]) => / (webhooks?|signing keys?)$/.test(title))) {
    for (const role of ROLES) {
      const { exitCode } = await release.cluster.kubectl(...args, '--as', `member-${role}`)
      expect([name, role, exitCode]).toEqual([name, role, allowed.includes(role) ? 0 : 1])
    }
  }
})

describe('the admission policies', () => {
  const refused = [
    [
      'the address of a webhook of the panel',
      () => panelWebhook,
      { spec: { url: 'https://other.example.com/' } },
      'was created in the panel',
    ],
    [
      'its labels',
      () => panelWebhook,
      { metadata: { labels: { 'sealwright.io/org-id': 'other' } } },
      'are written by Sealwright',
    ],
    ['the state of the installation key', () => INSTALLATION_KEY, { spec: { state: 'Retired' } }, 'was made by the installation'],
  ] as const

  test.each(refused)('refuse a change of %s, also by an admin', async (_name, target, body, message) => {
    for (const run of [as('admin', ...patch(target(), body)), release.cluster.kubectl(...patch(target(), body))]) {
      const { exitCode, stderr } = await run
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)])
    }
  })

  test('refuse an object that claims to come from the panel', async () => {
    const [webhook] = customResources(release.dev, NAMESPACE) as { metadata: object; spec: object }[]
    const claimed = { ...webhook, metadata: { name: 'claimed' }, spec: { ...webhook!.spec, origin: 'API' } }
    const { exitCode, stderr } = await release.cluster.apply([claimed], '--as', 'person-edit')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('are created by Sealwright')])
  })

  test('leave suspend and the commands to people', async () => {
    expect(await as('edit', ...patch(panelWebhook, { spec: { suspend: true } }))).toMatchObject({ exitCode: 0 })
    const rotation = { spec: { rotation: { request: 'people' } } }
    expect(await as('admin', ...patch(INSTALLATION_KEY, rotation))).toMatchObject({ exitCode: 0 })
    const suspended = ['wait', panelWebhook, '--for=condition=Suspended', '--timeout', '60s']
    expect(await release.cluster.kubectl(...suspended)).toMatchObject({ exitCode: 0 })
  })
})
