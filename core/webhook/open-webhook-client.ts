// The HTTP client of webhooks as the settings say.
import type { Settings } from '#core/platform/config/settings.ts'
import { openPostClient, type PostClient } from './request/post-client.ts'

type WebhookSettings = Pick<
  Settings,
  'webhookAllowedCidrs' | 'webhookDeniedCidrs' | 'webhookTimeoutSeconds' | 'webhookConnectTimeoutSeconds' | 'webhookCaFile'
>

/** Trusts the certificates of SEALWRIGHT_WEBHOOK_CA_FILE beside the public ones. */
export function openWebhookClient(settings: WebhookSettings): PostClient {
  const { webhookAllowedCidrs, webhookDeniedCidrs, webhookTimeoutSeconds, webhookConnectTimeoutSeconds, webhookCaFile } = settings
  return openPostClient({
    rules: { allowed: webhookAllowedCidrs, denied: webhookDeniedCidrs },
    timeoutMs: webhookTimeoutSeconds * 1000,
    connectTimeoutMs: webhookConnectTimeoutSeconds * 1000,
    ca: webhookCaFile,
  })
}
