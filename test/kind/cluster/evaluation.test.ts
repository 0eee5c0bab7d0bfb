// The evaluation profile on a real cluster, as its user meets it: one command, then one envelope. The namespace enforces restricted Pod Security.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { runKubectlCommand } from '../../../controller/kubectl/run-command.ts'
import { customResources, KEY, WEBHOOK } from '../../support/builders/kind-objects.ts'
import { captured } from '../../support/clients/command-line.ts'
import { type Cluster, finalizersOf, type HostPort, kindCluster, untilAccepting } from '../../support/clients/kind-cluster.ts'
import { postForm, sendSteadily } from '../../support/clients/steady-requests.ts'

const NAMESPACE = 'kind-evaluation'
const READY_WITHIN_SECONDS = 180
const CHART = ['charts/sealwright', '--values', 'charts/sealwright/values-eval.yaml']

let cluster: Cluster
beforeAll(async () => {
  cluster = kindCluster(NAMESPACE)
  await cluster.createNamespace()
})
afterAll(() => cluster.deleteNamespace())

interface Secret {
  metadata: { uid: string }
}
const KEY_SECRET = 'secret/sealwright-installation-key'

const Credential = z.object({ orgId: z.string(), baseUrl: z.string(), clientId: z.string(), clientSecret: z.string() })
const Token = z.object({ access_token: z.string() })

/** Headers of a caller with this credential, under the host name that the service has for its users. */
async function authorized({ host, port }: HostPort, dev: unknown): Promise<Record<string, string>> {
  const { baseUrl, clientId, clientSecret } = Credential.parse(dev)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  const Host = new URL(baseUrl).host
  const answer = await postForm({ host, port, path: '/oauth2/token', headers: { Host } }, body)
  return { Host, Authorization: `Bearer ${Token.parse(JSON.parse(answer)).access_token}` }
}

test('one command installs it with everything ready in under three minutes', async () => {
  const startedAt = performance.now()
  const { exitCode, stderr } = await cluster.helm(
    'install',
    'sealwright',
    ...CHART,
    ...cluster.testValues,
    '--wait',
    '--timeout',
    `${READY_WITHIN_SECONDS}s`,
  )
  console.log(`installed in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('would violate PodSecurity')])
  const deployments = await cluster.read<{ items: { metadata: { name: string }; status: { readyReplicas?: number } }[] }>(
    'deployments',
  )
  expect(deployments.items.map(({ metadata, status }) => `${metadata.name} ${status.readyReplicas}`).toSorted()).toEqual([
    'sealwright-api 1',
    'sealwright-controller 1',
    'sealwright-relay 1',
    'sealwright-worker 1',
  ])
})

test('helm test sends one envelope through it, from upload to verified seal and received webhook', async () => {
  const { exitCode, stdout } = await cluster.helm('test', 'sealwright', '--logs', '--timeout', '120s')
  console.log(stdout)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^Phase: +Succeeded$/m)
})

test('while every component is replaced, no request fails and an envelope is sealed', async () => {
  const address = await cluster.exposeApi()
  await untilAccepting(address)
  const dev = await cluster.readSecret('sealwright-first-run')
  const requests = sendSteadily({
    ...address,
    path: '/api/v1/envelopes',
    headers: await authorized(address, JSON.parse(dev['dev.json']!)),
  })
  const names = ['api', 'worker', 'relay', 'controller'].map((name) => `deployment/sealwright-${name}`)
  expect((await cluster.kubectl('rollout', 'restart', ...names)).exitCode).toBe(0)
  const checked = await cluster.helm('test', 'sealwright', '--logs', '--timeout', '180s')
  for (const name of names) expect((await cluster.kubectl('rollout', 'status', name, '--timeout', '180s')).exitCode).toBe(0)
  const { answered, failures } = await requests.stop()
  console.log(`${answered} requests answered, ${failures.length} failed`)
  expect([checked.exitCode, failures]).toEqual([0, []])
  expect(answered).toBeGreaterThan(100)
})

test('no container was restarted', async () => {
  interface Pod {
    metadata: { name: string }
    status: { containerStatuses?: { name: string; restartCount: number }[] }
  }
  const { items } = await cluster.read<{ items: Pod[] }>('pods')
  const restarted = items.flatMap(({ metadata, status }) =>
    (status.containerStatuses ?? []).filter(({ restartCount }) => restartCount > 0).map(({ name }) => `${metadata.name}/${name}`),
  )
  expect(restarted).toEqual([])
})

test('an uninstall keeps the installation key and custom resources, which the plugin lets go of', async () => {
  const { metadata } = await cluster.read<Secret>(KEY_SECRET)
  const dev = await cluster.readSecret('sealwright-first-run')
  const { orgId } = Credential.parse(JSON.parse(dev['dev.json']!))
  expect(await cluster.apply(customResources({ orgId }, NAMESPACE))).toMatchObject({ exitCode: 0 })
  for (const name of [WEBHOOK, KEY]) {
    await expect
      .poll(() => finalizersOf(cluster, name), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/^sealwright\.io\//)])
  }
  expect((await cluster.helm('uninstall', 'sealwright', '--wait')).exitCode).toBe(0)
  expect((await cluster.read<Secret>(KEY_SECRET)).metadata.uid).toBe(metadata.uid)
  for (const name of [WEBHOOK, KEY]) expect(await finalizersOf(cluster, name)).toHaveLength(1)
  const released = await captured(() =>
    runKubectlCommand(['uninstall', '--release-finalizers', '--namespace', NAMESPACE], { KUBECONFIG: inject('kindKubeconfig') }),
  )
  expect(released).toEqual({
    code: 0,
    stdout: `WebhookSubscription ${NAMESPACE}/billing: released\nSigningKey ${NAMESPACE}/test-seal: released\n`,
    stderr: '',
  })
  const deleted = await cluster.kubectl('delete', WEBHOOK, KEY, '--timeout', '20s')
  expect([deleted.exitCode, deleted.stderr]).toEqual([0, ''])
})

test('a new installation goes on with the same Secrets', async () => {
  const { metadata } = await cluster.read<Secret>(KEY_SECRET)
  const again = await cluster.helm('install', 'sealwright', ...CHART, ...cluster.testValues, '--wait', '--timeout', '420s')
  expect([again.exitCode, again.stderr]).toEqual([0, expect.any(String)])
  expect((await cluster.read<Secret>(KEY_SECRET)).metadata.uid).toBe(metadata.uid)
})
