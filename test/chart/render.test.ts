// What the chart renders in the eight profiles: three whole renders, and of the others what they have otherwise than the smallest one.
// UPDATE_GOLDEN=1 overwrites the expected files: read their changes before you commit them.
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { CHART_FOLDER, helm, objectsIn, renderChart } from '../../hack/chart/render.ts'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { toolPath } from '../../hack/servers/ensure-tool.ts'
import { kubeSchemas } from '../../hack/servers/kube-schemas.ts'
import { differencesOf } from '../support/judges/chart-differences.ts'
import { EVALUATION, MINIMAL, type Profile, PROFILES } from './profiles.ts'

const GOLDEN = path.join(import.meta.dirname, 'golden')
const run = promisify(execFile)
/** Kinds of other projects, whose schemas are not in Kubernetes. */
const FOREIGN = ['ServiceMonitor', 'PrometheusRule', 'ScaledObject', 'HTTPRoute', 'Certificate', 'CiliumNetworkPolicy']

/** Without the definitions, which are compared with crds/ elsewhere. */
async function objectsOf(args: readonly string[]): Promise<KubeObject[]> {
  return objectsIn(await renderChart({ args })).filter(({ kind }) => kind !== 'CustomResourceDefinition')
}

async function golden({ args, isCompared }: Profile): Promise<string> {
  const objects = await objectsOf(args)
  const shown = isCompared ? differencesOf(await objectsOf(PROFILES[0]!.args), objects) : objects
  return shown.map(toYaml).join('')
}

function toYaml(value: unknown): string {
  return `---\n${dump(value, { lineWidth: -1, noRefs: true })}`
}

describe.each(PROFILES)('the profile $name', (profile) => {
  const { name, args } = profile

  test('renders what was reviewed', async () => {
    const file = path.join(GOLDEN, `${name}.yaml`)
    const rendered = await golden(profile)
    if (process.env['UPDATE_GOLDEN']) await writeFile(file, rendered)
    expect(rendered).toBe(await readFile(file, 'utf8'))
  })

  test('passes helm lint --strict', async () => {
    const values = args.slice(0, args.indexOf('--api-versions'))
    await expect(helm(['lint', '--strict', CHART_FOLDER, ...values])).resolves.toContain('0 chart(s) failed')
  })
})

test('all profiles fit the schemas of Kubernetes', async () => {
  const options = ['-strict', '-summary', '-schema-location', await kubeSchemas(), '-skip', FOREIGN.join(',')]
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-renders-'))
  for (const { name, args } of PROFILES) {
    await writeFile(path.join(folder.path, `${name}.yaml`), (await objectsOf(args)).map(toYaml).join(''))
  }
  const { stdout } = await run(toolPath('kubeconform'), [...options, folder.path])
  expect(stdout).toContain('Invalid: 0, Errors: 0')
})

test('a render depends on the values alone', async () => {
  const { args } = EVALUATION
  expect(await renderChart({ args })).toBe(await renderChart({ args }))
})

test('a release of another name and namespace has other names', async () => {
  const ours = objectsIn(await renderChart({ args: ['--values', MINIMAL] }))
  const other = objectsIn(await renderChart({ args: ['--values', MINIMAL], release: 'second', namespace: 'other' }))
  const keyOf = ({ kind, metadata }: (typeof ours)[number]) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`
  const shared = other.map(keyOf).filter((key) => ours.map(keyOf).includes(key))
  expect(shared).toEqual([
    'CustomResourceDefinition  signingkeys.sealwright.io',
    'CustomResourceDefinition  webhooksubscriptions.sealwright.io',
  ])
})

test('the names are those of the contract', async () => {
  const objects = objectsIn(await renderChart({ args: EVALUATION.args }))
  const names = (kind: string) => objects.flatMap((each) => (each.kind === kind ? [each.metadata.name] : []))
  expect(names('Deployment').toSorted()).toEqual([
    'sealwright-api',
    'sealwright-controller',
    'sealwright-relay',
    'sealwright-worker',
  ])
  expect(names('Service')).toEqual(expect.arrayContaining(['sealwright-api', 'sealwright-metrics']))
  expect(names('Job').toSorted()).toEqual(['sealwright-migrate', 'sealwright-preflight'])
  expect(names('Pod')).toEqual(['sealwright-test'])
  expect(names('ServiceAccount')).toEqual(
    expect.arrayContaining(['sealwright-api', 'sealwright-controller', 'sealwright-relay', 'sealwright-worker']),
  )
})

test('an evaluation migrates in an ordinary Job at first, because its Postgres comes with it, and before an upgrade', async () => {
  const hookOf = async (...args: string[]) => {
    const objects = objectsIn(await renderChart({ args: [...EVALUATION.args, ...args] }))
    const job = objects.find(({ kind, metadata }) => kind === 'Job' && metadata.name === 'sealwright-migrate')!
    return job.metadata.annotations?.['helm.sh/hook']
  }
  expect(await hookOf()).toBeUndefined()
  expect(await hookOf('--is-upgrade')).toBe('pre-install,pre-upgrade')
})

test.each([
  ['1.31.0', undefined],
  ['1.36.0', undefined],
  ['1.30.9', 'chart requires kubeVersion'],
])('Kubernetes %s', async (version, problem) => {
  const rendered = renderChart({ args: ['--values', MINIMAL, '--kube-version', version] })
  if (problem) await expect(rendered).rejects.toThrow(problem)
  else await expect(rendered).resolves.toContain('kind: Deployment')
})
