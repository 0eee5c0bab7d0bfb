// What the chart has in common with crds/, docs/ and the metrics: one source each.
import { readFile } from 'node:fs/promises'
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

const Alerts = z.object({ alerts: z.array(z.object({ alert: z.string(), expr: z.string(), summary: z.string() })) })

describe('alerts', () => {
  let alerts: z.output<typeof Alerts>['alerts']
  let metrics: ReadonlySet<string>
  beforeAll(async () => {
    alerts = Alerts.parse(load(await readFile(path.join(CHART_FOLDER, 'files/alerts.yaml'), 'utf8'))).alerts
    const folder = 'core/platform/metrics'
    const sources = await Promise.all([`${folder}/metrics.ts`, `${folder}/controller-metrics.ts`].map(textOf))
    metrics = new Set(sources.join('\n').match(/sealwright_[a-z_]+/g))
  })

  test('ask for metrics that the processes have', () => {
    for (const { alert, expr } of alerts) {
      const asked = expr.match(/sealwright_[a-z_]+/g) ?? []
      expect(asked.length, alert).toBeGreaterThan(0)
      for (const metric of asked) expect(metrics, alert).toContain(metric)
    }
  })

  test('each have a chapter that says what to do', async () => {
    const chapters = (await textOf('docs/alerts.md')).match(/^## .*$/gm)
    expect(chapters).toEqual(alerts.map(({ alert }) => `## ${alert}`))
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
    expect(rendered).toContain(String.raw`sealwright_check_ok{namespace=\"signing\"}`)
  })
})
