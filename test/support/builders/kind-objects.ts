// Custom resources that a test creates in a release on the kind cluster.
import type { ReleaseDev } from '../clients/kind-release.ts'

export const WEBHOOK = 'webhooksubscription/billing'
export const KEY = 'signingkey/test-seal'

/** A webhook and a signing key that are born in Kubernetes. */
export function customResources({ orgId }: Pick<ReleaseDev, 'orgId'>): object[] {
  const apiVersion = 'sealwright.io/v1alpha1'
  const provider = { type: 'SelfSigned', selfSigned: { algorithm: 'EC-P256', commonName: 'Test seal' } }
  return [
    {
      apiVersion,
      kind: 'WebhookSubscription',
      metadata: { name: 'billing' },
      spec: { orgId, url: 'https://hooks.example.com/sealwright', events: ['envelope.completed'] },
    },
    { apiVersion, kind: 'SigningKey', metadata: { name: 'test-seal' }, spec: { state: 'Standby', provider } },
  ]
}
