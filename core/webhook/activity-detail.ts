// A webhook in the organisation's activity.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { WebhookId } from '#core/ids.ts'

/** Its id, and the host that names it to people: path and query of the URL may hold a secret of the receiver. */
export function activityDetail(
  { id, url }: { id: WebhookId; url: string },
  further: { readonly [key: string]: JsonValue } = {},
): { readonly [key: string]: JsonValue } {
  return { webhookId: id, host: new URL(url).host, ...further }
}
