// The Roles that we ship: what each identity may do, compared with all that it could want, and with real calls.
import { beforeAll, describe, expect, test } from 'vitest'
import type { KubeRequest } from '#core/platform/kubernetes/kube-client.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type Kube, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { runKubectlCommand } from '../../controller/kubectl/run-command.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../../controller/webhook-subscription/resource.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { rolesFor } from '../../hack/servers/installation-manifests.ts'
import { webhookSpec } from '../support/builders/custom-resources.ts'
import { captured } from '../support/clients/command-line.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { RESOURCES, type Rights, ROLES, SERVICE_ACCOUNTS, VERBS } from './cases/rights.ts'

const { name: namespace, kube } = await kubeNamespace()
/** Roles with one namespace, as they are shipped, and a kubeconfig for each account. */
const shared = await kubeNamespace()
const keysNamespace = `${namespace}-keys`

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

beforeAll(async () => {
  await applyManifests(kube.requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: keysNamespace } }])
  await applyManifests(kube.requests, await rolesFor({ namespace, keysNamespace }))
  await applyManifests(
    kube.requests,
    Object.keys(ROLES).map((role) => bindingOf(role, role, namespace)),
  )
})

/** Binds the Role to a person, and to the ServiceAccount of that name. */
function bindingOf(role: string, name: string, where: string) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `test-${name}`, namespace: where },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name },
      { kind: 'ServiceAccount', name, namespace: where },
    ],
  }
}

/** `verbs resource` for all that the API server would allow the user in the namespace. */
async function rightsOf(user: string, where: string): Promise<string[]> {
  const lines = await Promise.all(
    RESOURCES.map(async (resource) => {
      const allowed = await Promise.all(VERBS.map((verb) => isAllowed(user, verb, resource, where)))
      const verbs = VERBS.filter((_, index) => allowed[index])
      return verbs.length > 0 ? `${verbs.join()} ${resource}` : ''
    }),
  )
  return lines.filter(Boolean).toSorted()
}

async function isAllowed(user: string, verb: string, target: string, where: string): Promise<boolean> {
  const [path = '', name] = target.split(' NAME ')
  const [resourcePath = '', ...group] = path.split('.')
  const [resource, subresource] = resourcePath.split('/')
  const called = name === 'OWN' ? where : name
  const resourceAttributes = { namespace: where, verb, group: group.join('.'), resource, subresource, name: called }
  const answer = await kube.requests.request<{ status: { allowed: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user, resourceAttributes } },
  })
  return answer.status.allowed
}

async function expectRights(user: string, { release, keys }: Rights): Promise<void> {
  expect(await rightsOf(user, namespace)).toEqual([...release].toSorted())
  expect(await rightsOf(user, keysNamespace)).toEqual([...keys].toSorted())
  expect(await rightsOf(user, 'kube-system')).toEqual([])
}

describe('may do this and nothing else:', () => {
  test.each(Object.entries(SERVICE_ACCOUNTS))('the ServiceAccount %s', async (name, rights) => {
    await expectRights(`system:serviceaccount:${namespace}:${name}`, rights)
  })

  test.each(Object.entries(ROLES))('a person with the Role %s', async (role, rights) => {
    await expectRights(role, rights)
  })
})

test('no ServiceAccount gets a token that no Pod needs', async () => {
  for (const object of await rolesFor({ namespace, keysNamespace }))
    if (object.kind === 'ServiceAccount')
      expect(object, object.metadata.name).toMatchObject({ automountServiceAccountToken: false })
})

/** The API server as an account of the shared namespace sees it. */
async function as(account: string): Promise<Kube> {
  const { kubeconfig } = await shared.serviceAccountKubeconfig(account)
  return openKube({ kubeconfig })
}

function newSecret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: shared.name }, stringData: { secret: 'x' } }
}

describe('real calls', () => {
  const secrets = objectPath(SECRETS, shared.name)
  const webhooks = objectPath(WEBHOOK_SUBSCRIPTIONS, shared.name)
  const FORBIDDEN = { status: 403, reason: 'Forbidden' }

  test('the API may not even see the webhooks', async () => {
    await using api = await as('sealwright-api')
    await expect(api.requests.request({ method: 'GET', path: webhooks })).rejects.toMatchObject(FORBIDDEN)
  })

  test('a worker reads a Secret by name, and cannot list or change any', async () => {
    await shared.kube.requests.request({ method: 'POST', path: secrets, body: newSecret('key-v1') })
    await using worker = await as('sealwright-worker')
    expect(await worker.requests.request({ method: 'GET', path: `${secrets}/key-v1` })).toMatchObject({
      data: { secret: 'eA==' },
    })
    await expect(worker.requests.request({ method: 'GET', path: secrets })).rejects.toMatchObject(FORBIDDEN)
    await expect(worker.requests.request({ method: 'DELETE', path: `${secrets}/key-v1` })).rejects.toMatchObject(FORBIDDEN)
  })

  test('the controller writes webhooks and their status', async () => {
    await using controller = await as('sealwright-controller')
    const { group, version, kind } = WEBHOOK_SUBSCRIPTIONS
    const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'mirrored' } }
    const query = { fieldManager: 'test', force: true }
    const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml', query } as const
    await controller.requests.request({ ...apply, path: `${webhooks}/mirrored`, body: { ...object, spec: webhookSpec() } })
    await controller.requests.request({
      ...apply,
      path: `${webhooks}/mirrored/status`,
      body: { ...object, status: { rowVersion: 1 } },
    })
  })

  test('the controller creates and deletes Secrets, and can neither read nor change one, also not one that it created', async () => {
    await using controller = await as('sealwright-controller')
    const path = `${secrets}/generated`
    await controller.requests.request({ method: 'POST', path: secrets, body: newSecret('generated') })
    const apply = { contentType: 'application/apply-patch+yaml', query: { fieldManager: 'test', force: true } } as const
    const merge = { contentType: 'application/merge-patch+json' } as const
    const refused: KubeRequest[] = [
      { method: 'GET', path },
      { method: 'GET', path: secrets },
      { method: 'GET', path: secrets, query: { watch: true } },
      { method: 'PUT', path, body: newSecret('generated') },
      { method: 'PATCH', path, ...merge, body: { data: {} } },
      { method: 'PATCH', path, ...apply, body: newSecret('generated') },
      { method: 'DELETE', path: secrets },
    ]
    for (const call of refused)
      await expect(controller.requests.request(call), `${call.method} ${call.path}`).rejects.toMatchObject(FORBIDDEN)
    await controller.requests.request({ method: 'DELETE', path })
  })

  test('an editor suspends a webhook with the plugin, and cannot write its status', async () => {
    await shared.serviceAccountKubeconfig('sealwright-edit')
    await applyManifests(shared.kube.requests, [bindingOf('sealwright-edit', 'sealwright-edit', shared.name)])
    const { kubeconfig } = await shared.serviceAccountKubeconfig('sealwright-edit')
    const suspended = await captured(() => runKubectlCommand(['webhook', 'suspend', 'mirrored'], { KUBECONFIG: kubeconfig }))
    expect(suspended).toMatchObject({ code: 0, stderr: '' })
    await using editor = await openKube({ kubeconfig })
    const status = { method: 'PATCH', path: `${webhooks}/mirrored/status`, contentType: 'application/merge-patch+json' } as const
    await expect(editor.requests.request({ ...status, body: { status: { rowVersion: 9 } } })).rejects.toMatchObject(FORBIDDEN)
    const refused = await captured(() => runKubectlCommand(['key', 'retire', 'seal'], { KUBECONFIG: kubeconfig }))
    expect(refused.stderr).toContain('There is no SigningKey seal')
  })

  test('a viewer runs status, and is shown which Role allows more', async () => {
    await shared.serviceAccountKubeconfig('sealwright-view')
    await applyManifests(shared.kube.requests, [bindingOf('sealwright-view', 'sealwright-view', shared.name)])
    const { kubeconfig } = await shared.serviceAccountKubeconfig('sealwright-view')
    const run = (...args: string[]) => captured(() => runKubectlCommand(args, { KUBECONFIG: kubeconfig }))
    expect((await run('status')).stdout).toContain('leader: none')
    const refused = await run('webhook', 'resume', 'mirrored')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('sealwright-edit') })
  })
})
