// Whether the API server serves the custom resources that this version needs.
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { Kind } from '../resource/kind.ts'
import type { Requests } from '../runtime/object-calls.ts'
import { z } from 'zod'

interface ResourceList {
  resources?: { name: string; verbs: string[] }[]
}

/** False when the definition is missing or being deleted: then the API server offers its objects without `create`. */
export async function isDefinitionServed(
  kube: Requests,
  { group, version, plural }: Resource,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const path = `/apis/${group}/${version}`
    const { resources = [] } = await kube.requests.request<ResourceList>({ method: 'GET', path, signal })
    return resources.some(({ name, verbs }) => name === plural && verbs.includes('create'))
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return false
    throw error
  }
}

const APPLY = 'Run "kubectl apply --server-side -f crds/" with the files of this version.'

/** One sentence for what is missing; undefined when all is there. An older definition lacks fields, which the API server would drop unseen. */
export async function missingDefinition(
  kube: Requests,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { resource } of kinds) {
    if (!(await isDefinitionServed(kube, resource, signal))) {
      return `The custom resource definition ${resource.plural}.${resource.group} is not installed. ${APPLY}`
    }
  }
  const document = await readSchemas(kube, kinds, signal)
  for (const { resource, spec, status } of kinds) {
    const served = Object.values(document.components.schemas).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(({ kind, group }) => kind === resource.kind && group === resource.group),
    )
    const known = pathsOf(served)
    const missing = [...pathsOf(schemaOf({ spec, status }))].find((path) => !known.has(path))
    if (missing)
      return `The custom resource definition ${resource.plural}.${resource.group} is older than this version: it lacks ${missing}. ${APPLY}`
  }
  return undefined
}

/** What of a schema names its fields. */
interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  'x-kubernetes-group-version-kind'?: { group: string; kind: string }[]
}

function readSchemas(kube: Requests, [kind]: readonly Kind[], signal: AbortSignal) {
  const { group, version } = kind?.resource ?? { group: '', version: '' }
  const path = `/openapi/v3/apis/${group}/${version}`
  return kube.requests.request<{ components: { schemas: Record<string, Schema> } }>({ method: 'GET', path, signal })
}

function schemaOf({ spec, status }: Pick<Kind, 'spec' | 'status'>): Schema {
  const options = { target: 'openapi-3.0', io: 'input', reused: 'inline', unrepresentable: 'any' } as const
  const fieldsOf = (part: z.ZodType): Schema => Object.assign<Schema, object>({}, z.toJSONSchema(part, options))
  return { properties: { spec: fieldsOf(spec), status: fieldsOf(status) } }
}

function pathsOf(schema: Schema | undefined, prefix = ''): Set<string> {
  if (!schema) return new Set()
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [path, ...pathsOf(member, path)]
  })
  return new Set([
    ...own,
    ...pathsOf(schema.items, prefix),
    ...(schema.allOf ?? []).flatMap((part) => [...pathsOf(part, prefix)]),
  ])
}
