// Sends a test event and shows the answer of the receiver.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { TestResult, Webhook } from '../data/records.ts'
import { SelectInput } from '../forms/select-input.tsx'
import { Section } from '../frame/area.tsx'
import { formatDuration } from '../locales/format.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { AttemptError } from './deliveries/attempt-error.tsx'
import type { WebhookTest } from './use-webhook-test.ts'

export function TestSection({ webhook, test: { action, result } }: { webhook: Webhook; test: WebhookTest }) {
  const [chosen, setChosen] = useState<Webhook['eventTypes'][number]>()
  const eventType = webhook.eventTypes.find((type) => type === chosen) ?? webhook.eventTypes[0]
  return (
    <Section title={texts.webhooks.test} hint={texts.webhooks.testHint}>
      <div className="test-form">
        {eventType && (
          <SelectInput
            label={texts.webhooks.testType}
            value={eventType}
            options={webhook.eventTypes.map((type) => [type, type] as const)}
            onChange={setChosen}
          />
        )}
        <ActionButton look="secondary" isPending={action.isRunning} onPress={() => void action.run(eventType)}>
          {texts.webhooks.testSubmit}
        </ActionButton>
      </div>
      {action.failure && <Notice tone="warning">{panelFailureText(action.failure)}</Notice>}
      {result && <Result webhookId={webhook.id} result={result} />}
    </Section>
  )
}

function Result({ webhookId, result }: { webhookId: string; result: TestResult }) {
  return (
    <Notice tone={result.delivered ? 'success' : 'warning'} title={titleOf(result)}>
      {!result.delivered && <AttemptError error={result} />}
      <PlaceLink to={{ area: 'delivery', webhookId, deliveryId: result.deliveryId }}>{texts.webhooks.toDelivery}</PlaceLink>
    </Notice>
  )
}

function titleOf({ delivered, responseStatus, durationMs }: TestResult): string {
  const duration = formatDuration(durationMs)
  if (responseStatus === undefined) return texts.webhooks.testFailedAfter(duration)
  return delivered
    ? texts.webhooks.testDelivered(responseStatus, duration)
    : texts.webhooks.testFailedWith(responseStatus, duration)
}
