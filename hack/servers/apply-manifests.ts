// Applies the YAML files of a folder to an API server, as `kubectl apply --server-side` does.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { errnoOf } from '#core/platform/storage/storage-error.ts'

interface ServedResource {
  name: string
  kind: string
  namespaced: boolean
}

/** The objects in the folder's YAML files, by file name; none when there is no folder. Folders in it are not read. */
export async function readManifests(folder: string): Promise<KubeObject[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => name.endsWith('.yaml')).toSorted()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own files; the API server validates them
  return texts.flatMap((text) => loadAll(text)).filter(Boolean) as KubeObject[]
}

/** Applies the objects one after the other. Throws KubeError for one that the server refuses. */
export async function applyManifests(client: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const { resource, namespaced } = await findResource(client, object)
    const { name, namespace = 'default' } = object.metadata
    await client.request({
      method: 'PATCH',
      path: objectPath(resource, namespaced ? namespace : undefined, name),
      query: { fieldManager: 'sealwright-setup', force: true },
      contentType: 'application/apply-patch+yaml',
      body: object,
    })
  }
}

/** Only the server knows the plural of a kind, and whether it is namespaced. */
async function findResource(
  client: KubeClient,
  { apiVersion, kind }: KubeObject,
): Promise<{ resource: Resource; namespaced: boolean }> {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
  const { resources } = await client.request<{ resources: ServedResource[] }>({ method: 'GET', path })
  const served = resources.find((each) => each.kind === kind && !each.name.includes('/'))
  if (!served) throw new Error(`The API server does not serve ${kind} of ${apiVersion}.`)
  return { resource: { group, version, plural: served.name, kind }, namespaced: served.namespaced }
}
