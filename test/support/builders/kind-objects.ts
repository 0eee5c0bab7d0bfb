// Custom resources that a test creates in a release on the kind cluster.
import type { ReleaseDev } from '../clients/kind-release.ts'

export const WEBHOOK = 'webhooksubscription/billing'
export const KEY = 'signingkey/test-seal'

/** An address that the cluster's name server knows: there may be no other. */
export const hookUrl = (namespace: string) => `https://sealwright-api.${namespace}/hook`

/** A webhook and a signing key managed in Kubernetes. */
export function customResources({ orgId }: Pick<ReleaseDev, 'orgId'>, namespace: string): object[] {
  const apiVersion = 'sealwright.io/v1alpha1'
  const provider = { type: 'SelfSigned', selfSigned: { algorithm: 'EC-P256', commonName: 'Test seal' } }
  return [
    {
      apiVersion,
      kind: 'WebhookSubscription',
      metadata: { name: 'billing' },
      spec: { orgId, url: hookUrl(namespace), events: ['envelope.completed'] },
    },
    { apiVersion, kind: 'SigningKey', metadata: { name: 'test-seal' }, spec: { state: 'Standby', provider } },
  ]
}
