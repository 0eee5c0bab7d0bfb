// JSON schemas of Kubernetes's own kinds for kubeconform, from the OpenAPI document in Kubernetes's Go module: no network is needed.
import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { toolPath } from './ensure-tool.ts'

const run = promisify(execFile)
const TOOLS = path.join(import.meta.dirname, '../tools')

const Module = z.object({ Dir: z.string(), Version: z.string() })
const Definition = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  'x-kubernetes-group-version-kind': z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() })).optional(),
})
const OpenApi = z.object({ definitions: z.record(z.string(), Definition) })

/** Types that JSON carries in two ways. */
const TWO_FORMS: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': ['string', 'integer'],
  'io.k8s.apimachinery.pkg.api.resource.Quantity': ['string', 'number'],
}

/** The value of kubeconform's `-schema-location`. The schemas are written once for a version of Kubernetes. */
export async function kubeSchemas(): Promise<string> {
  const { stdout } = await run('go', ['list', '-m', '-json', 'k8s.io/kubernetes'], { cwd: TOOLS })
  const { Dir: module, Version: version } = Module.parse(JSON.parse(stdout))
  const folder = path.join(path.dirname(toolPath('kubeconform')), `kube-schemas-${version}`)
  if (!(await isThere(folder))) await write(path.join(module, 'api/openapi-spec/swagger.json'), folder)
  return `${folder}/{{ .ResourceKind }}{{ .KindSuffix }}.json`
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined
}

/** Complete when the folder appears. */
async function write(openApi: string, folder: string): Promise<void> {
  const { definitions } = OpenApi.parse(JSON.parse(await readFile(openApi, 'utf8')))
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  const closed = Object.fromEntries(Object.entries(definitions).map(([name, each]) => [name, close(name, each)]))
  await writeFile(path.join(unfinished, '_definitions.json'), JSON.stringify({ definitions: closed }))
  for (const [name, definition] of Object.entries(definitions)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const suffix = group ? `${group.split('.')[0]}-${version}` : version
      const reference = { $ref: `_definitions.json#/definitions/${name}` }
      await writeFile(path.join(unfinished, `${kind.toLowerCase()}-${suffix}.json`), JSON.stringify(reference))
    }
  }
  await rename(unfinished, folder).catch(async () => rm(unfinished, { recursive: true }))
}

/** Unknown fields are errors. */
function close(name: string, definition: z.output<typeof Definition>): object {
  const type = TWO_FORMS[name]
  if (type) return { type }
  return definition.properties && definition.additionalProperties === undefined
    ? { ...definition, additionalProperties: false }
    : definition
}
