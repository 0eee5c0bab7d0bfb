// What the chart has in common with crds/, docs/ and the metrics: one source each.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { CHART_FOLDER, CRDS_CHART_FOLDER, objectsIn, renderChart } from '../../hack/chart/render.ts'
import { readManifests } from '../../hack/servers/apply-manifests.ts'
import { policiesFor, rolesFor } from '../../hack/servers/installation-manifests.ts'
import { CRDS_FOLDER } from '../../hack/servers/kube-setup.ts'
import { MINIMAL } from './profiles.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const NAMESPACES = { namespace: 'signing', keysNamespace: 'signing-keys' }
const OPTIONS = ['userRoles.enabled=true', 'certManager.enabled=true', `settings.kubeKeysNamespace=${NAMESPACES.keysNamespace}`]
const textOf = async (file: string) => readFile(path.join(ROOT, file), 'utf8')

let objects: KubeObject[]
beforeAll(async () => {
  const args = ['--values', MINIMAL, ...OPTIONS.flatMap((each) => ['--set', each])]
  objects = objectsIn(await renderChart({ args, namespace: NAMESPACES.namespace }))
})

/** Without labels and annotations, which are the release's. */
function bare(object: KubeObject): object {
  const { name, namespace } = object.metadata
  return { ...object, metadata: { name, ...(namespace !== undefined && { namespace }) } }
}

function ofKinds(kinds: readonly string[], from: readonly KubeObject[]): Map<string, object> {
  const chosen = from.filter(({ kind }) => kinds.includes(kind))
  return new Map(chosen.map((each) => [`${each.kind} ${each.metadata.name}`, bare(each)]))
}

describe('the chart has', () => {
  test('the definitions of crds/, and so has the chart for them alone', async () => {
    const kinds = ['CustomResourceDefinition']
    const expected = ofKinds(kinds, await readManifests(CRDS_FOLDER))
    expect(ofKinds(kinds, objects)).toEqual(expected)
    const apart = objectsIn(await renderChart({ chart: CRDS_CHART_FOLDER }))
    expect(ofKinds(kinds, apart)).toEqual(expected)
    expect(apart).toHaveLength(expected.size)
  })

  test('the definitions stay after an uninstall, unless a value says otherwise', async () => {
    const kept = async (...args: string[]) =>
      (await renderChart({ args: ['--values', MINIMAL, ...args] })).match(/helm\.sh\/resource-policy: keep/g)?.length ?? 0
    expect(await kept()).toBe(2)
    expect(await kept('--set', 'crds.keep=false')).toBe(0)
  })

  test('the Roles of crds/rbac', async () => {
    const kinds = ['Role', 'RoleBinding']
    const ours = ofKinds(kinds, objects)
    const expected = ofKinds(kinds, await rolesFor(NAMESPACES))
    expect(expected.size).toBeGreaterThan(5)
    for (const [key, object] of expected) expect(ours.get(key)).toEqual(object)
    const others = [...ours.keys()].filter((key) => !expected.has(key))
    expect(new Set(others.map((key) => key.split(' ')[1]))).toEqual(new Set(['sealwright-migrate', 'sealwright-preflight']))
  })

  test('the ServiceAccounts of crds/rbac', async () => {
    const expected = (await rolesFor(NAMESPACES)).filter(({ kind }) => kind === 'ServiceAccount')
    const ours = ofKinds(['ServiceAccount'], objects)
    for (const each of expected) expect(ours.get(`ServiceAccount ${each.metadata.name}`)).toEqual(bare(each))
  })

  test('the policies of crds/admission', async () => {
    const kinds = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']
    expect(ofKinds(kinds, objects)).toEqual(ofKinds(kinds, await policiesFor(NAMESPACES)))
  })
})

const RUNBOOKS = 'docs/runbooks'
const Alert = z.object({ alert: z.string(), expr: z.string(), severity: z.string(), summary: z.string() })
const Alerts = z.object({ alerts: z.array(Alert) })

test('the values of docs/installation.md install all components, with an Ingress and network policies', async () => {
  const [, text] = /```yaml\n(# values.yaml\n.*?)```/s.exec(await textOf('docs/installation.md'))!
  const values = Object.entries(z.record(z.string(), z.unknown()).parse(load(text!)))
  const args = values.flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`])
  const kinds = Map.groupBy(objectsIn(await renderChart({ args })), ({ kind }) => kind)
  expect(
    kinds
      .get('Deployment')
      ?.map(({ metadata }) => metadata.name.replace('sealwright-', ''))
      .toSorted(),
  ).toEqual(['api', 'controller', 'relay', 'worker'])
  expect([kinds.get('Ingress')?.length, kinds.get('NetworkPolicy')?.length]).toEqual([1, 8])
})

/** The metrics of the text, without the ending of a histogram's parts. */
function metricsIn(text: string): string[] {
  return (text.match(/sealwright_[a-z_]+/g) ?? []).map((metric) => metric.replace(/_(bucket|sum|count)$/, ''))
}

let metrics: ReadonlySet<string>
beforeAll(async () => {
  const folder = 'core/platform/metrics'
  const sources = await Promise.all([`${folder}/metrics.ts`, `${folder}/controller-metrics.ts`].map(textOf))
  metrics = new Set(metricsIn(sources.join('\n')))
})

describe('alerts', () => {
  let alerts: z.output<typeof Alerts>['alerts']
  beforeAll(async () => {
    alerts = Alerts.parse(load(await readFile(path.join(CHART_FOLDER, 'files/alerts.yaml'), 'utf8'))).alerts
  })

  test('ask for metrics that the processes have', () => {
    for (const { alert, expr } of alerts) {
      const asked = metricsIn(expr)
      expect(asked.length, alert).toBeGreaterThan(0)
      for (const metric of asked) expect(metrics, alert).toContain(metric)
    }
  })

  test('each have a runbook that says what it means, how to check and how to cure it, and no runbook is left over', async () => {
    const pages = await readdir(path.join(ROOT, RUNBOOKS))
    expect(pages.toSorted()).toEqual(['README.md', ...alerts.map(({ alert }) => `${alert}.md`)].toSorted())
    for (const { alert } of alerts) {
      const headings = (await textOf(`${RUNBOOKS}/${alert}.md`)).match(/^##? .*$/gm)
      expect(headings).toEqual([`# ${alert}`, '## Meaning', '## Check', '## Cure'])
    }
  })

  test('are listed with their severity', async () => {
    const rows = (await textOf(`${RUNBOOKS}/README.md`)).matchAll(/^\| \[(\w+)\]\((\w+)\.md\) +\| (\w+) /gm)
    expect(Array.from(rows, ([, name, page, severity]) => [name, page, severity])).toEqual(
      alerts.map(({ alert, severity }) => [alert, alert, severity]),
    )
  })

  test('are rendered for the namespace of the release', async () => {
    const args = [
      '--values',
      MINIMAL,
      '--set',
      'metrics.prometheusRule.enabled=true',
      '--api-versions',
      'monitoring.coreos.com/v1',
    ]
    const rendered = await renderChart({ args, namespace: 'signing' })
    expect(rendered.match(/alert: Sealwright/g)).toHaveLength(alerts.length)
    expect(rendered).not.toContain('SELECTOR')
    const links = Array.from(rendered.matchAll(/runbook_url: https:\/\/\S+\/(docs\/runbooks\/\S+)$/gm), ([, file]) => file)
    expect(links).toEqual(alerts.map(({ alert }) => `${RUNBOOKS}/${alert}.md`))
    expect(rendered).toContain(String.raw`sealwright_check_ok{namespace=\"signing\"}`)
  })
})

test('the dashboard and both autoscalers ask for metrics that the processes have', async () => {
  const dashboard = metricsIn(await textOf('charts/sealwright/files/dashboard.json'))
  expect(dashboard.length).toBeGreaterThan(10)
  for (const metric of dashboard) expect(metrics).toContain(metric)
  for (const mode of ['hpa', 'keda']) {
    const rendered = await renderChart({ args: ['--values', MINIMAL, '--set', `worker.autoscaling.mode=${mode}`] })
    const asked = metricsIn(rendered)
    expect(asked, mode).toHaveLength(1)
    expect(metrics, mode).toContain(asked[0])
  }
})
