// Reads Secrets through the Kubernetes API, with the rights of this process's ServiceAccount.
import { KubeError } from './kube-error.ts'
import { type KubeObject, objectPath, type Resource } from './kube-object.ts'
import { kubernetesIsConfigured, type KubeSettings, openKube } from './open-kube.ts'
import type { SecretReader } from './secret-reader.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const TIMEOUT_MS = 10_000

/** Undefined when no API server is configured; closed with the stack. Throws StartupError for a kubeconfig that cannot be used. */
export async function openSecretReader(settings: KubeSettings, stack: AsyncDisposableStack): Promise<SecretReader | undefined> {
  if (!kubernetesIsConfigured(settings)) return undefined
  const kube = stack.use(await openKube(settings))
  return {
    async read(namespace, name) {
      try {
        const secret = await kube.requests.request<KubeObject & { data?: Record<string, string> }>({
          method: 'GET',
          path: objectPath(SECRETS, namespace, name),
          timeoutMs: TIMEOUT_MS,
        })
        return secret.data ?? {}
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return undefined
        throw error
      }
    },
  }
}
