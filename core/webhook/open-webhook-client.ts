// The HTTP client of webhooks as the settings say.
import type { CoreSettings } from '#core/context.ts'
import { addressRulesOf, type AddressSettings } from './address/rules-of-settings.ts'
import { openPostClient, type PostClient } from './request/post-client.ts'

type WebhookSettings = AddressSettings &
  Pick<CoreSettings, 'webhookTimeoutSeconds' | 'webhookConnectTimeoutSeconds' | 'webhookCaFile'>

/** Trusts the certificates of the setting beside the public ones. */
export function openWebhookClient(settings: WebhookSettings): PostClient {
  const { webhookTimeoutSeconds, webhookConnectTimeoutSeconds, webhookCaFile = [], webhookReceiver } = settings
  return openPostClient({
    rules: addressRulesOf(settings),
    timeoutMs: webhookTimeoutSeconds * 1000,
    connectTimeoutMs: webhookConnectTimeoutSeconds * 1000,
    ca: webhookReceiver ? [...webhookCaFile, webhookReceiver.ca] : webhookCaFile,
  })
}
