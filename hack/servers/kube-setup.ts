// Prepares an API server for Sealwright: custom resources, and tokens of ServiceAccounts.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { applyManifests, readManifests } from './apply-manifests.ts'

interface CustomResourceDefinition extends KubeObject {
  spec: { group: string; names: { plural: string }; versions: { name: string }[] }
}

/** The custom resource definitions; `rbac/` and `admission/` are below it. */
export const CRDS_FOLDER = fileURLToPath(new URL('../../crds/', import.meta.url))

const SERVED_WITHIN_MS = 60_000
const POLL_MS = 100

/** Applies the custom resource definitions and waits until the server serves them. */
export async function applyCustomResources(client: KubeClient): Promise<void> {
  const definitions = await readManifests(CRDS_FOLDER)
  await applyManifests(client, definitions)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the folder holds nothing else
  for (const definition of definitions as CustomResourceDefinition[]) await untilServed(client, definition)
}

/** Soon after its creation a kind is unknown (404), then its lists are refused while its storage is prepared (429). */
async function untilServed(client: KubeClient, { spec }: CustomResourceDefinition): Promise<void> {
  const path = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const failure = await client.request({ method: 'GET', path, query: { limit: 1 } }).catch((error: unknown) => error)
    if (!(failure instanceof Error)) return
    const isEarly = failure instanceof KubeError && [404, 429, 503].includes(failure.status)
    if (!isEarly || waitedMs > SERVED_WITHIN_MS) throw failure
    await delay(POLL_MS)
  }
}

/** A token of the ServiceAccount, which the server refuses after this many seconds (600 or more). */
export async function requestToken(
  client: KubeClient,
  namespace: string,
  serviceAccount: string,
  expirationSeconds: number,
): Promise<string> {
  const answer = await client.request<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } },
  })
  return answer.status.token
}
