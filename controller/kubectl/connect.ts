// Opens the API server for one command.
import type { Environment } from '#core/platform/config/settings.ts'
import { kubernetesIsConfigured, openKube } from '#core/platform/kubernetes/open-kube.ts'
import type { Cluster } from './cluster.ts'
import { CommandError } from './command-error.ts'
import { findKubeconfig } from './find-kubeconfig.ts'

export interface ClusterOptions {
  kubeconfig?: string
  context?: string
  namespace?: string
  keysNamespace?: string
}

const DEFAULT_NAMESPACE = 'sealwright'

/** The folder that the command was called in: npm and npx run it in another one and name the first in INIT_CWD. */
export function callerFolder(env: Environment): string {
  return env['INIT_CWD'] ?? process.cwd()
}

/** Runs `use` with the API server, and closes its connections. Throws CommandError or StartupError if there is no usable kubeconfig. */
export async function withCluster<T>(
  options: ClusterOptions,
  env: Environment,
  use: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const chosen = findKubeconfig(options, env, callerFolder(env))
  if (!chosen && !kubernetesIsConfigured({}))
    throw new CommandError('There is no kubeconfig: set KUBECONFIG or use --kubeconfig.')
  await using kube = await openKube(chosen ? { kubeconfig: chosen.file, kubeContext: chosen.context } : {})
  const namespace = options.namespace ?? chosen?.namespace ?? env['SEALWRIGHT_KUBE_NAMESPACE'] ?? DEFAULT_NAMESPACE
  const keysNamespace = options.keysNamespace ?? env['SEALWRIGHT_KUBE_KEYS_NAMESPACE'] ?? namespace
  return await use({ client: kube.requests, namespace, keysNamespace })
}
