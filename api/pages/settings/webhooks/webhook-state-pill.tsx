// Whether a webhook is enabled, or why it is not.
import type { Webhook } from '../data/records.ts'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'

export function WebhookStatePill({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  if (enabled || !disabledReason) return <Pill tone="success">{texts.webhooks.enabled}</Pill>
  return (
    <Pill tone={disabledReason === 'AUTOMATIC' ? 'warning' : 'neutral'}>{texts.webhooks.disabledStates[disabledReason]}</Pill>
  )
}
