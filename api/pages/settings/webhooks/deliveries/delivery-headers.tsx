// The headers of a delivery and what receivers do with them.
import type { DeliveryWithBody } from '../../data/records.ts'
import { Section } from '../../frame/area.tsx'
import { texts } from '../../locales/texts.ts'

export function DeliveryHeaders({ delivery: { eventId, eventType, test, probe } }: { delivery: DeliveryWithBody }) {
  const { headerNotes } = texts.deliveries
  const headers = [
    [`X-Svc-Event-Id: ${eventId}`, headerNotes.id],
    [`X-Svc-Event-Type: ${eventType}`, headerNotes.type],
    ['X-Svc-Signature: t=…,v1=…', headerNotes.signature],
    ...(test || probe ? [['X-Svc-Test: true', headerNotes.test] as const] : []),
  ] as const
  return (
    <Section title={texts.deliveries.headers} hint={texts.deliveries.headersHint}>
      <dl className="panel-facts header-facts">
        {headers.map(([header, note]) => (
          <div key={header}>
            <dt>
              <code>{header}</code>
            </dt>
            <dd>{note}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
