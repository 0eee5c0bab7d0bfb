// `npm run start:operator`: section 1 of the contract of the custom resources, seen with kubectl.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { processState } from '../../hack/servers/process-state.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { type OperatorDevJson, startOperatorService } from '../support/servers/operator-service.ts'

/** Each starts all servers and processes of the service. */
const slow = { timeout: 300_000 }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-operator-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function kubectl({ kubectl, kubeconfig, namespace }: OperatorDevJson, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(kubectl, ['--kubeconfig', kubeconfig, '-n', namespace, ...args])
  if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

/** What is said of the Secret that a webhook names: a worker has to look for it. */
async function messageOfNamedSecret(dev: OperatorDevJson, folder: string): Promise<string> {
  const sample = await readFile('crds/samples/webhook-own-secret.yaml', 'utf8')
  const [, webhook = ''] = sample.split('---\n')
  await writeFile(path.join(folder, 'own-secret.yaml'), webhook.replace(/orgId: .*/, `orgId: ${dev.orgId}`))
  await kubectl(dev, 'apply', '-f', path.join(folder, 'own-secret.yaml'))
  await kubectl(dev, 'wait', '--for=condition=Accepted=False', 'whsub/billing-own-secret', '--timeout=30s')
  return kubectl(dev, 'get', 'whsub', 'billing-own-secret', '-o', 'jsonpath={.status.conditions[0].message}')
}

/** The settings of a process that concern Kubernetes. */
async function kubeSettingsOf(pid: number): Promise<string[]> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
  return environment.split('\0').filter((each) => /^(SEALWRIGHT_)?KUBE/.test(each))
}

test('it starts its own API server, which outlives kill -9, and leaves no process behind', slow, async () => {
  const folder = await newFolder()
  const first = await startOperatorService(folder)
  expect(first.dev).toMatchObject({ namespace: 'sealwright', kubeconfig: path.join(folder, 'kubernetes/kubeconfig') })
  expect(await kubectl(first.dev, 'api-resources', '--api-group', 'sealwright.io')).toMatch(/signingkeys[^]*webhooksubscriptions/)
  await kubectl(first.dev, 'get', 'sealwright')
  await kubectl(first.dev, 'apply', '-f', 'crds/samples/webhook.yaml')
  expect(await messageOfNamedSecret(first.dev, folder)).toContain('There is no Secret sealwright/billing-given-secret')
  await first.kill()

  const second = await startOperatorService(folder)
  expect(await kubectl(second.dev, 'get', 'sealwright', '-o', 'name')).toContain('webhooksubscription.sealwright.io/billing')
  const before = second.dev.pids.worker
  process.kill(before, 'SIGKILL')
  await expect.poll(async () => (await second.readDev()).pids.worker ?? before).not.toBe(before)
  const { pids } = await second.readDev()

  expect(await second.stop()).toBe(0)
  expect(await readdir(folder)).not.toContain('dev.json')
  for (const pid of Object.values(pids)) expect(await processState(pid)).toBe(undefined)
  expect((await runProgram('pgrep', ['-f', folder])).stdout.toString()).toBe('')
})

test(
  'it uses the API server of SEALWRIGHT_KUBECONFIG, of which only controller and worker get a restricted account',
  slow,
  async () => {
    const { name } = await kubeNamespace()
    const service = await startOperatorService(await newFolder(), {
      SEALWRIGHT_KUBECONFIG: inject('kubeconfig'),
      SEALWRIGHT_KUBE_NAMESPACE: name,
      SEALWRIGHT_KUBE_KEYS_NAMESPACE: `${name}-keys`,
    })
    onTestFinished(async () => void (await service.stop()))
    const { dev } = service
    expect(dev).toMatchObject({ namespace: name, kubeconfig: inject('kubeconfig') })
    expect(await kubeSettingsOf(dev.pids.api)).toEqual([])
    for (const component of ['worker', 'controller'] as const) {
      const settings = await kubeSettingsOf(dev.pids[component])
      const file = settings.find((each) => each.startsWith('SEALWRIGHT_KUBECONFIG='))?.split('=')[1] ?? ''
      const account = { ...dev, kubeconfig: file }
      expect(await kubectl(account, 'auth', 'whoami')).toContain(`system:serviceaccount:${name}:sealwright-${component}`)
      await expect(kubectl(account, 'get', 'secrets')).rejects.toThrow('Forbidden')
    }
    await kubectl(dev, 'get', 'namespace', `${name}-keys`)
  },
)
