// One delivery: its attempts, the exact body, and a button to send the event again.
import { ActionButton } from '../../../components/action-button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { codeOf } from '../../../http/failure.ts'
import type { DeliveryWithBody } from '../../data/records.ts'
import { ResourceView } from '../../data/resource-view.tsx'
import { useAction } from '../../data/use-action.ts'
import { usePolling } from '../../data/use-polling.ts'
import { useResource } from '../../data/use-resource.ts'
import { Area } from '../../frame/area.tsx'
import { CopyButton } from '../../frame/copy-button.tsx'
import { useFlash } from '../../frame/flash.tsx'
import { Moment } from '../../frame/moment.tsx'
import { Facts } from '../../frame/parts.tsx'
import { UnknownArea } from '../../frame/unknown-area.tsx'
import { panelFailureText } from '../../locales/panel-failure-text.ts'
import { texts } from '../../locales/texts.ts'
import { ALL_DELIVERIES } from '../../routing/place.ts'
import { goTo } from '../../routing/use-place.ts'
import { useSessionStore } from '../../session/session-context.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryBody } from './delivery-body.tsx'
import { DeliveryHeaders } from './delivery-headers.tsx'
import { DeliveryStatusPill, kindOf } from './delivery-status-pill.tsx'

const POLL_MS = 3_000
const GONE = ['DELIVERY_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'VALIDATION_FAILED']

export interface DeliveryAreaProps {
  webhookId: string
  deliveryId: string
}

export function DeliveryArea({ webhookId, deliveryId }: DeliveryAreaProps) {
  const delivery = useResource<DeliveryWithBody>(`/webhooks/${webhookId}/deliveries/${deliveryId}`)
  const { loaded } = delivery
  const isOpen = loaded.phase === 'ready' && ['WAITING', 'REJECTED_UNREACHABLE'].includes(loaded.value.status)
  usePolling(async () => isOpen && delivery.refresh(), POLL_MS)
  if (loaded.phase === 'failed' && GONE.includes(codeOf(loaded.failure) ?? '')) return <UnknownArea />
  return (
    <Area
      title={loaded.phase === 'ready' ? loaded.value.eventType : texts.deliveries.one}
      mark={loaded.phase === 'ready' && <DeliveryStatusPill status={loaded.value.status} />}
      parent={{ place: { area: 'deliveries', webhookId, filter: ALL_DELIVERIES }, name: texts.deliveries.title }}
    >
      <ResourceView resource={delivery} lines={8}>
        {(value) => (
          <div className="columns">
            <div className="column">
              <Attempts delivery={value} />
              <DeliveryBody body={value.body} />
              <DeliveryHeaders delivery={value} />
            </div>
            <DeliveryFacts webhookId={webhookId} delivery={value} />
          </div>
        )}
      </ResourceView>
    </Area>
  )
}

function DeliveryFacts({ webhookId, delivery }: { webhookId: string; delivery: DeliveryWithBody }) {
  const { facts, reasons } = texts.deliveries
  const { id, eventId, createdAt, nextAttemptAt, reason = '', body } = delivery
  return (
    <aside className="sheet sheet-aside">
      <Facts
        facts={[
          [facts.reason, Object.hasOwn(reasons, reason) ? reasons[reason] : reason],
          [texts.deliveries.nextAttempt, nextAttemptAt && <Moment at={nextAttemptAt} as="moment" />],
          [facts.kind, kindOf(delivery)],
          [facts.created, <Moment at={createdAt} as="moment" />],
          [
            facts.event,
            <span className="copy-inline">
              <code>{eventId}</code>
              <CopyButton text={eventId} label={facts.event} />
            </span>,
          ],
          [facts.id, <code>{id}</code>],
        ]}
      />
      {body !== null && <ReplayButton webhookId={webhookId} deliveryId={id} />}
    </aside>
  )
}

/** Leads to the new delivery. */
function ReplayButton({ webhookId, deliveryId }: DeliveryAreaProps) {
  const store = useSessionStore()
  const say = useFlash()
  const replay = useAction(
    () => store.call<DeliveryWithBody>({ method: 'POST', path: `/webhooks/${webhookId}/deliveries/${deliveryId}/replay` }),
    (created) => {
      say(texts.deliveries.resent)
      goTo({ area: 'delivery', webhookId, deliveryId: created.id })
    },
  )
  return (
    <>
      <ActionButton look="secondary" isPending={replay.isRunning} onPress={() => void replay.run()}>
        {texts.deliveries.resend}
      </ActionButton>
      {replay.failure && <Notice tone="warning">{panelFailureText(replay.failure)}</Notice>}
    </>
  )
}
