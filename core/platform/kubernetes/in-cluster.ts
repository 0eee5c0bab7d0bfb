// What a pod finds in its own file system and environment: the address of the API server and the token of its ServiceAccount.
import { existsSync, readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { ClusterAccess } from './cluster-access.ts'

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface PodPlace {
  /** Where the token is mounted. */
  folder: string
  host: string | undefined
  port: string | undefined
}

/** Where this process would find them. */
export function podPlace(): PodPlace {
  // oxlint-disable-next-line node/no-process-env -- set by Kubernetes in every container, not a setting of ours
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
  return { folder: SERVICE_ACCOUNT, host, port }
}

/** Whether this is a pod with a token. */
export function isInPod({ folder, host, port }: PodPlace): boolean {
  return Boolean(host && port) && existsSync(join(folder, 'token'))
}

/** The pod's namespace; undefined outside a pod. */
export function podNamespace(place: PodPlace): string | undefined {
  const file = join(place.folder, 'namespace')
  return isInPod(place) && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The access of the pod's ServiceAccount. */
export function podAccess({ folder, host = '', port = '' }: PodPlace): ClusterAccess {
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    authority: { file: join(folder, 'ca.crt') },
    token: { file: join(folder, 'token') },
  }
}
