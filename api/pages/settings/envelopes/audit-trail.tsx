// The audit trail of one envelope, with its PDF report.
import { ActionButton } from '../../components/action-button.tsx'
import { CheckIcon, DownloadIcon } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import { saveFile } from '../../http/save-file.ts'
import type { AuditEvent, AuditTrail as Trail, Envelope, EnvelopeDocument } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import type { Resource } from '../data/use-resource.ts'
import { Section } from '../frame/area.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { formatExactly } from '../locales/format.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { type AuditContext, auditSentence } from './audit-step.ts'
import { deviceName } from './device-name.ts'

export interface AuditTrailProps {
  envelope: Envelope
  documents: readonly EnvelopeDocument[]
  trail: Resource<Trail>
}

export function AuditTrail({ envelope, documents, trail }: AuditTrailProps) {
  return (
    <Section title={texts.envelopes.audit} hint={texts.envelopes.auditHint} actions={<ReportButton envelope={envelope} />}>
      <ResourceView resource={trail} lines={6}>
        {({ events, chain }) =>
          events.length > 0 ? (
            <>
              <ChainVerdict chain={chain} />
              <Steps events={events} context={{ signers: envelope.signers, documents }} />
            </>
          ) : (
            <EmptyState title={texts.audit.emptyTitle} />
          )
        }
      </ResourceView>
    </Section>
  )
}

/** The service verifies the chain on every read; this shows the result. */
function ChainVerdict({ chain }: { chain: Trail['chain'] }) {
  if (!chain.valid)
    return (
      <Notice tone="warning" title={texts.audit.brokenTitle}>
        {texts.audit.brokenBody(chain.firstBadSeq)}
      </Notice>
    )
  return (
    <p className="chain-verdict">
      <CheckIcon />
      {texts.audit.intact(chain.rows)}
    </p>
  )
}

function Steps({ events, context }: { events: readonly AuditEvent[]; context: AuditContext }) {
  return (
    <ol className="trail">
      {events.map((event) => (
        <li key={event.seq} className="trail-step">
          <p>{auditSentence(event, context, texts.audit)}</p>
          <p className="hint">
            <time dateTime={event.at}>{formatExactly(event.at)}</time>
            {event.address && <> {texts.audit.from(event.address)}</>}
            {event.userAgent && <span title={event.userAgent}> · {deviceName(event.userAgent)}</span>}
          </p>
        </li>
      ))}
    </ol>
  )
}

function ReportButton({ envelope }: { envelope: Envelope }) {
  const store = useSessionStore()
  const fetchReport = useAction(
    () => store.file(`/envelopes/${envelope.id}/audit`, 'application/pdf'),
    (report) => saveFile(report, `audit-${envelope.id}.pdf`),
  )
  return (
    <>
      <ActionButton look="secondary" isPending={fetchReport.isRunning} onPress={() => void fetchReport.run()}>
        <DownloadIcon />
        {texts.envelopes.report}
      </ActionButton>
      {fetchReport.failure && (
        <Notice tone="warning" title={texts.envelopes.reportFailed}>
          {panelFailureText(fetchReport.failure)}
        </Notice>
      )}
    </>
  )
}
