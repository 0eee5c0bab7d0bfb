// Applies the YAML files of a folder to an API server, as `kubectl apply --server-side` does.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { type KubeObject, objectPath } from '#core/platform/kubernetes/kube-object.ts'
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
  for (const object of objects) await applyTo(client, await pathOf(client, object), object)
}

/** Asks whether the server would accept the object, with no field that it does not know. Throws KubeError as it would. */
export async function tryManifest(client: KubeClient, object: KubeObject): Promise<void> {
  await applyTo(client, await pathOf(client, object), object, { dryRun: 'All', fieldValidation: 'Strict' })
}

/** Applies the objects that the server does not have. */
export async function applyMissing(client: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const path = await pathOf(client, object)
    if (!(await exists(client, path))) await applyTo(client, path, object)
  }
}

async function applyTo(
  client: KubeClient,
  path: string,
  object: KubeObject,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  await client.request({
    method: 'PATCH',
    path,
    query: { fieldManager: 'sealwright-setup', force: true, ...query },
    contentType: 'application/apply-patch+yaml',
    body: object,
  })
}

async function exists(client: KubeClient, path: string): Promise<boolean> {
  try {
    await client.request({ method: 'GET', path })
    return true
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return false
    throw error
  }
}

/** Only the server knows the plural of a kind, and whether it is namespaced. */
async function pathOf(client: KubeClient, { apiVersion, kind, metadata }: KubeObject): Promise<string> {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
  const { resources } = await client.request<{ resources: ServedResource[] }>({ method: 'GET', path })
  const served = resources.find((each) => each.kind === kind && !each.name.includes('/'))
  if (!served) throw new Error(`The API server does not serve ${kind} of ${apiVersion}.`)
  const { name, namespace = 'default' } = metadata
  return objectPath({ group, version, plural: served.name, kind }, served.namespaced ? namespace : undefined, name)
}
