// Whether the custom resource definitions of the new version can replace those of the cluster.
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { Kind } from '../resource/kind.ts'

interface Definition {
  status?: { storedVersions?: string[] }
}

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
}

/** One sentence for each definition that stores objects in a version that this one no longer has. A definition that is missing, or that the release may
 *  not read because it does not manage it, is fine. */
export async function checkDefinitions(client: KubeClient, kinds: readonly Kind[]): Promise<string[]> {
  const problems = await Promise.all(kinds.map((kind) => checkDefinition(client, kind)))
  return problems.flat()
}

async function checkDefinition(client: KubeClient, { resource }: Kind): Promise<string[]> {
  const name = `${resource.plural}.${resource.group}`
  try {
    const path = objectPath(DEFINITIONS, undefined, name)
    const { status } = await client.request<Definition>({ method: 'GET', path })
    const lost = status?.storedVersions?.filter((version) => version !== resource.version) ?? []
    return lost.map(
      (version) => `${name} stores objects as ${version}, which this version does not read. Upgrade in smaller steps.`,
    )
  } catch (error) {
    if (error instanceof KubeError && [403, 404].includes(error.status)) return []
    throw error
  }
}
