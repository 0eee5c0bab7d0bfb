// The files of the chart that `npm run generate` writes.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { dashboard } from './dashboard.ts'
import { definitionFile, manifestTemplate } from './manifests.ts'
import { valuesSchema, valuesTable, valuesYaml } from './write-values.ts'

const CHART = 'charts/sealwright'
const ROOT = path.join(import.meta.dirname, '../..')
const TABLE = /(<!-- values -->\n)[^]*(<!-- end of values -->)/

/** Files by their name in the repository. JSON and Markdown are formatted by the caller. */
export const CHART_FILES: Readonly<Record<string, () => Promise<string> | string>> = {
  [`${CHART}/values.schema.json`]: () => JSON.stringify(valuesSchema()),
  [`${CHART}/values.yaml`]: valuesYaml,
  [`${CHART}/README.md`]: readme,
  [`${CHART}/files/dashboard.json`]: () => JSON.stringify(dashboard()),
  ...definitionFiles(CHART),
  ...definitionFiles('charts/sealwright-crds'),
  [`${CHART}/templates/rbac-controller.yaml`]: () => manifestTemplate({ source: 'rbac/controller' }),
  [`${CHART}/templates/rbac-keys.yaml`]: () => manifestTemplate({ source: 'rbac/keys', isOfKeys: true }),
  [`${CHART}/templates/rbac-worker.yaml`]: () => manifestTemplate({ source: 'rbac/worker' }),
  [`${CHART}/templates/rbac-users.yaml`]: () =>
    manifestTemplate({ source: 'rbac/users', condition: '.Values.userRoles.enabled' }),
  [`${CHART}/templates/admission-webhooks.yaml`]: () =>
    manifestTemplate({ source: 'admission/webhooksubscriptions', condition: '.Values.admissionPolicy.enabled' }),
  [`${CHART}/templates/admission-keys.yaml`]: () =>
    manifestTemplate({ source: 'admission/signingkeys', isOfKeys: true, condition: '.Values.admissionPolicy.enabled' }),
}

/** Helm reads no files outside of a chart. */
function definitionFiles(chart: string): Record<string, () => Promise<string>> {
  const names = ['signingkeys', 'webhooksubscriptions']
  return Object.fromEntries(names.map((name) => [`${chart}/files/crds/${name}.yaml`, async () => definitionFile(name)]))
}

/** The README with a new table of values. */
async function readme(): Promise<string> {
  const text = await readFile(path.join(ROOT, CHART, 'README.md'), 'utf8')
  if (!TABLE.test(text)) throw new Error(`${CHART}/README.md has no place for the table of values.`)
  return text.replace(TABLE, (_all, before: string, after: string) => `${before}\n${valuesTable()}\n${after}`)
}
