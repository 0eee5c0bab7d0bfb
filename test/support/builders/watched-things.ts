// Objects and events of a kind that exists only in tests.
import type { WatchEvent } from '../../../core/platform/kubernetes/kube-client.ts'
import type { KubeObject } from '../../../core/platform/kubernetes/kube-object.ts'

export interface Thing extends KubeObject {
  spec: { org: string }
}

export const resource = { group: 'example.test', version: 'v1', plural: 'things', kind: 'Thing' }

export function thing(name: string, version: number, org = 'one'): Thing {
  const metadata = {
    namespace: 'ns',
    name,
    uid: `uid-${name}`,
    resourceVersion: String(version),
    managedFields: [{ manager: 'kubectl' }],
  }
  return { apiVersion: 'example.test/v1', kind: 'Thing', metadata, spec: { org } }
}

export const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): WatchEvent => ({ type, object })
export const bookmark = (version: number, annotations?: Record<string, string>): WatchEvent => ({
  type: 'BOOKMARK',
  object: {
    apiVersion: 'example.test/v1',
    kind: 'Thing',
    metadata: { name: '', resourceVersion: String(version), ...(annotations && { annotations }) },
  },
})
export const endOfList = (version: number) => bookmark(version, { 'k8s.io/initial-events-end': 'true' })
export const failed = (code: number, message = 'failed'): WatchEvent => ({
  type: 'ERROR',
  object: { code, reason: 'Failed', message },
})
