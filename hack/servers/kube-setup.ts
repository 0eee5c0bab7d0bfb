// Prepares an API server for Sealwright: custom resources, and tokens of ServiceAccounts.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { applyManifests, readManifests } from './apply-manifests.ts'

interface CustomResourceDefinition extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] }
}

/** The custom resource definitions, and below it `rbac/`. */
export const CRDS_FOLDER = fileURLToPath(new URL('../../crds/', import.meta.url))
export const RBAC_FOLDER = join(CRDS_FOLDER, 'rbac')

const ESTABLISHED_WITHIN_MS = 60_000
const POLL_MS = 100

/** Applies the custom resource definitions and waits until the server serves them. */
export async function applyCustomResources(client: KubeClient): Promise<void> {
  const definitions = await readManifests(CRDS_FOLDER)
  await applyManifests(client, definitions)
  for (const { metadata } of definitions) await untilEstablished(client, metadata.name)
}

async function untilEstablished(client: KubeClient, name: string): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`
  for (let waitedMs = 0; waitedMs < ESTABLISHED_WITHIN_MS; waitedMs += POLL_MS) {
    const { status } = await client.request<CustomResourceDefinition>({ method: 'GET', path })
    if (status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True')) return
    await delay(POLL_MS)
  }
  throw new Error(`The API server does not serve ${name}.`)
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
