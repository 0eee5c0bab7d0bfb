// What `helm install` says and leaves out, on a real API server.
import path from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { CHART_FOLDER, helm, objectsIn } from '../../hack/chart/render.ts'
import { MINIMAL, PROFILES } from '../chart/profiles.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const { name: namespace, kube } = await kubeNamespace()
const DEFINITIONS = ['signingkeys.sealwright.io', 'webhooksubscriptions.sealwright.io']

const Policy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    egress: z
      .array(z.object({ ports: z.array(z.object({ port: z.int() })).optional(), to: z.array(z.unknown()).optional() }))
      .optional(),
  }),
})

/** The objects and the notes of an installation that is only tried. */
async function tryInstall(...args: string[]): Promise<string> {
  return helm([
    'install',
    'sealwright',
    CHART_FOLDER,
    '-n',
    namespace,
    '--kubeconfig',
    inject('kubeconfig'),
    '--dry-run=server',
    ...args,
  ])
}

/** The definitions of the test run belong to no release. */
async function notes(...args: string[]): Promise<string> {
  const output = await tryInstall('--set', 'crds.enabled=false', ...args)
  return output.slice(output.indexOf('NOTES:'))
}

describe('the notes', () => {
  test('of an evaluation say how to sign in', async () => {
    const text = await notes('--values', path.join(CHART_FOLDER, 'values-eval.yaml'))
    expect(text).toContain(`kubectl -n ${namespace} port-forward svc/sealwright-api 8080:80`)
    expect(text).toContain(String.raw`get secret sealwright-first-run -o jsonpath='{.data.dev\.json}' | base64 -d`)
    expect(text).toContain('http://127.0.0.1:8080/settings')
  })

  test.each([
    ['', 'Back it up'],
    ['', 'seals are made with a self-signed key'],
    ['api.database.existingSecret=api', 'worker, relay, controller: no database.existingSecret of its own'],
    ['', 'AllowedOrigins: ["https://sign.example.com"]'],
    ['', 'networkPolicy.apiServerCidrs is empty'],
    ['', 'networkPolicy.apiFrom is empty: any address, so every pod of the cluster, may connect to the API'],
    ['networkPolicy.dns.peers=null', 'all pods may connect to any address on port 53'],
    ['networkPolicy.metricsFrom=null', 'may read the metrics'],
    ['networkPolicy.enabled=false', 'networkPolicy.enabled is false'],
    ['smtp.existingSecret=null', 'the pods do not start without a mail server'],
    ['settings.mailKeep=true', 'no email is sent'],
    ['publicUrl=http://sign.example.com', 'publicUrl is not https'],
    ['admissionPolicy.enabled=false', 'undone instead of refused'],
    ['metrics.serviceMonitor.enabled=true', 'The cluster has no monitoring.coreos.com/v1'],
  ])('with %s point out: %s', async (value, warning) => {
    expect(await notes('--values', MINIMAL, ...(value ? ['--set', value] : []))).toContain(warning)
  })

  test('point out nothing where there is nothing', async () => {
    const open = ['database', 'nats', 'objectStore', 'smtp'].map((each) => `networkPolicy.${each}.cidrs={192.0.2.0/24}`)
    const safe = [
      'networkPolicy.apiServerCidrs={10.96.0.1/32}',
      'networkPolicy.apiFrom[0].podSelector.matchLabels.app=ingress',
      ...['api', 'worker', 'relay', 'controller'].map((each) => `${each}.database.existingSecret=${each}`),
      'signingKey.existingSecret=key',
      'installationKey.existingSecret=key',
      ...open,
    ]
    expect(await notes('--values', MINIMAL, '--set', safe.join(','))).not.toContain('Note:')
  })

  test.each([
    ['minimal', ['443, 6443', '5432', '4222', '443', '25, 465, 587']],
    ['external', ['443, 6443', '4443', '9000', '25, 465, 587', '443']],
    ['evaluation', ['443, 6443']],
  ])('of the profile %s name each destination that is any address', async (name, open) => {
    const { args = [] } = PROFILES.find((each) => each.name === name) ?? {}
    const output = await tryInstall('--set', 'crds.enabled=false', ...args.slice(0, args.indexOf('--api-versions')))
    const [manifests = '', text = ''] = output.split('NOTES:')
    const policies = objectsIn(manifests.slice(manifests.indexOf('---'))).flatMap((object) => Policy.safeParse(object).data ?? [])
    const rules = policies.flatMap(({ spec }) => spec.egress ?? [])
    expect(rules.length).toBeGreaterThan(10)
    const found = rules.filter(({ to }) => to === undefined).map(({ ports }) => ports?.map(({ port }) => port).join(', '))
    expect(new Set(found)).toEqual(new Set(open))
    for (const ports of open)
      expect(text.replaceAll(' and ', ', ')).toMatch(new RegExp(`may connect to any address on ports? ${ports}\\.`))
  })
})

describe('definitions of another release', () => {
  async function annotate(annotations: Readonly<Record<string, string | null>>): Promise<void> {
    for (const name of DEFINITIONS) {
      await kube.requests.request({
        method: 'PATCH',
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations } },
      })
    }
  }
  afterAll(() => annotate({ 'meta.helm.sh/release-name': null, 'meta.helm.sh/release-namespace': null }))

  test('stay as they are, and the notes name them', async () => {
    await annotate({ 'meta.helm.sh/release-name': 'sealwright', 'meta.helm.sh/release-namespace': 'other' })
    const output = await tryInstall('--values', MINIMAL, '--set', 'crds.keep=false')
    expect(output).toContain('an uninstall deletes all custom resources')
    expect(output).not.toContain('kind: CustomResourceDefinition')
    for (const name of DEFINITIONS) expect(output).toContain(`${name} belongs to another release`)
  })
})
