// Says why a webhook is disabled, where one is managed that can't be changed here, and when its object there is missing.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { Webhook } from '../data/records.ts'
import { Moment } from '../frame/moment.tsx'
import { texts } from '../locales/texts.ts'
import { objectName } from './object-name.ts'
import type { WebhookTest } from './use-webhook-test.ts'

export function WebhookNotices({ webhook, test }: { webhook: Webhook; test: WebhookTest }) {
  const { disabledReason, nextProbeAt, consecutiveExhausted, orphanedAt } = webhook
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
      {disabledReason === 'SUSPENDED' && <SuspendedNotice webhook={webhook} />}
      {orphanedAt && (
        <Notice tone="warning" title={texts.webhooks.orphanedTitle}>
          {texts.webhooks.orphanedBody(objectName(webhook))}
        </Notice>
      )}
      {webhook.origin === 'Kubernetes' && !orphanedAt && (
        <Notice tone="info" title={texts.webhooks.managedTitle}>
          {texts.webhooks.managedBody(objectName(webhook))}
        </Notice>
      )}
    </>
  )
}

function SuspendedNotice({ webhook: { disabledReasons = [] } }: { webhook: Webhook }) {
  const others = disabledReasons.filter((reason) => reason !== 'SUSPENDED').map((reason) => texts.webhooks.disabledStates[reason])
  return (
    <Notice tone="info" title={texts.webhooks.suspendedTitle}>
      {texts.webhooks.suspendedBody} {others.length > 0 && texts.webhooks.suspendedBesides(others.join(', '))}
    </Notice>
  )
}
