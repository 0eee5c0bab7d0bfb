// Specifications that the API server accepts.
import type { SigningKeySpec } from '../../../controller/signing-key/resource.ts'
import type { WebhookSubscriptionSpec } from '../../../controller/webhook-subscription/resource.ts'

export const ORG_ID = '0198c1de-0000-7000-8000-000000000001'
export const OTHER_ORG_ID = '0198c1de-0000-7000-8000-000000000002'

/** The specification of a webhook, managed in Kubernetes unless `changes` say otherwise. */
export function webhookSpec(changes: Partial<WebhookSubscriptionSpec> = {}): WebhookSubscriptionSpec {
  return { orgId: ORG_ID, url: 'https://hooks.example.com/', events: ['envelope.sent'], ...changes }
}

/** The specification of a key from a PKCS#12 file, managed in Kubernetes unless `changes` say otherwise. */
export function keySpec(changes: Partial<SigningKeySpec> = {}): SigningKeySpec {
  return { provider: { type: 'PKCS12', pkcs12: { secretRef: { name: 'seal' } } }, ...changes }
}
