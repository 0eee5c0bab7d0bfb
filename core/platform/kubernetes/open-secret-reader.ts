// Reads Secrets through the Kubernetes API, with the rights of this process's ServiceAccount.
import type { KubeClient } from './kube-client.ts'
import { KubeError } from './kube-error.ts'
import { type KubeObject, objectPath, type Resource } from './kube-object.ts'
import { kubernetesIsConfigured, type KubeSettings, openKube } from './open-kube.ts'
import type { SecretReader } from './secret-reader.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const TIMEOUT_MS = 10_000
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/** Undefined when no API server is configured; closed with the stack. Throws StartupError for a kubeconfig that cannot be used. */
export async function openSecretReader(settings: KubeSettings, stack: AsyncDisposableStack): Promise<SecretReader | undefined> {
  if (!kubernetesIsConfigured(settings)) return undefined
  const kube = stack.use(await openKube(settings))
  return newSecretReader(kube.requests)
}

/** Two requests: the metadata, and then the content, whose metadata are judged too, because another Secret may have taken the name. */
export function newSecretReader(client: KubeClient): SecretReader {
  return {
    async read(namespace, name, rule) {
      const request = { method: 'GET', path: objectPath(SECRETS, namespace, name), timeoutMs: TIMEOUT_MS } as const
      try {
        const { metadata } = await client.request<KubeObject>({ ...request, accept: METADATA_ONLY })
        if (!rule(metadata)) return undefined
        const secret = await client.request<KubeObject & { data?: Record<string, string> }>(request)
        return rule(secret.metadata) ? (secret.data ?? {}) : undefined
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return undefined
        throw error
      }
    },
  }
}
