// Says why a webhook is disabled, and where one is managed that can't be changed here.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { Webhook } from '../data/records.ts'
import { Moment } from '../frame/moment.tsx'
import { texts } from '../locales/texts.ts'
import type { WebhookTest } from './use-webhook-test.ts'

export function WebhookNotices({ webhook, test }: { webhook: Webhook; test: WebhookTest }) {
  const { disabledReason, nextProbeAt, consecutiveExhausted, origin } = webhook
  return (
    <>
      {disabledReason === 'AUTOMATIC' && (
        <Notice tone="warning" title={texts.webhooks.automaticTitle}>
          <p>
            {texts.webhooks.automaticBody(consecutiveExhausted)}{' '}
            {nextProbeAt && <Moment at={nextProbeAt} as="distance" words={texts.webhooks.probeAt} />}
          </p>
          <ActionButton look="secondary" isPending={test.action.isRunning} onPress={() => void test.action.run(undefined)}>
            {texts.webhooks.testNow}
          </ActionButton>
        </Notice>
      )}
      {origin === 'Kubernetes' && (
        <Notice tone="info" title={texts.webhooks.managedTitle}>
          {texts.webhooks.managedBody}
        </Notice>
      )}
    </>
  )
}
