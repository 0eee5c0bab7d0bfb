// One envelope: status, signers, documents and audit trail.
import { codeOf } from '../../http/failure.ts'
import type { AuditTrail as Trail, Envelope, EnvelopeDocument } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { Moment } from '../frame/moment.tsx'
import { EmptyState, Facts, Pill } from '../frame/parts.tsx'
import { UnknownArea } from '../frame/unknown-area.tsx'
import { texts } from '../locales/texts.ts'
import { ALL_ENVELOPES } from '../routing/place.ts'
import { useIsAdmin } from '../session/session-context.ts'
import { AuditTrail } from './audit-trail.tsx'
import { EnvelopeDocuments } from './envelope-documents.tsx'
import { LegalHoldSection } from './legal-hold-section.tsx'
import { EnvelopeStatusPill } from './envelope-status-pill.tsx'

export function EnvelopeArea({ id }: { id: string }) {
  const envelope = useResource<Envelope>(`/envelopes/${id}`)
  const documents = useResource<EnvelopeDocument[]>(`/envelopes/${id}/documents`, { isKept: false })
  const trail = useResource<Trail>(`/envelopes/${id}/audit`)
  const isAdmin = useIsAdmin()
  const { loaded } = envelope
  if (loaded.phase === 'failed' && isGone(codeOf(loaded.failure))) return <UnknownArea />
  const names = documents.loaded.phase === 'ready' ? documents.loaded.value : []
  return (
    <Area
      title={loaded.phase === 'ready' ? loaded.value.title : texts.envelopes.title}
      mark={loaded.phase === 'ready' && <EnvelopeStatusPill status={loaded.value.status} />}
      parent={{ place: { area: 'envelopes', query: ALL_ENVELOPES }, name: texts.envelopes.title }}
    >
      <ResourceView resource={envelope} lines={8}>
        {(value) => (
          <div className="columns">
            <div className="column">
              <Signers envelope={value} />
              <EnvelopeDocuments envelope={value} documents={documents} trail={trail} />
              <AuditTrail envelope={value} documents={names} trail={trail} />
              {isAdmin && <LegalHoldSection envelope={value} trail={trail} />}
            </div>
            <EnvelopeFacts envelope={value} />
          </div>
        )}
      </ResourceView>
    </Area>
  )
}

/** A mistyped URL: an invalid ID is treated like an unknown one. */
function isGone(code: string | undefined): boolean {
  return code === 'ENVELOPE_NOT_FOUND' || code === 'VALIDATION_FAILED'
}

const SIGNER_TONES = {
  PENDING: 'neutral',
  SENT: 'active',
  VIEWED: 'active',
  SIGNED: 'success',
  EXPIRED: 'warning',
  CANCELLED: 'neutral',
} as const satisfies Record<Envelope['signers'][number]['status'], string>

function Signers({ envelope }: { envelope: Envelope }) {
  return (
    <Section
      title={texts.envelopes.signers}
      hint={envelope.sequentialSigning ? texts.envelopes.inOrder : texts.envelopes.allAtOnce}
    >
      {envelope.signers.length === 0 && <EmptyState title={texts.envelopes.noSigners} />}
      <ol className="rows rows-plain">
        {envelope.signers.map((signer) => (
          <li key={signer.id} className="row">
            <span className="row-main">
              <span className="row-title">{signer.name}</span>
              <span className="row-line">{signer.email}</span>
            </span>
            <span className="row-side">
              <Pill tone={SIGNER_TONES[signer.status]}>{texts.envelopes.signerStatuses[signer.status]}</Pill>
              {signer.signedAt && (
                <span className="row-line">
                  <Moment at={signer.signedAt} as="moment" />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function EnvelopeFacts({ envelope }: { envelope: Envelope }) {
  const { facts } = texts.envelopes
  const labels = Object.entries(envelope.labels)
  return (
    <aside className="sheet sheet-aside">
      <Facts
        facts={[
          [facts.workspace, envelope.workspaceName],
          [facts.created, <Moment at={envelope.createdAt} as="moment" />],
          [facts.createdBy, envelope.createdBy],
          [facts.expires, envelope.expiresAt ? <Moment at={envelope.expiresAt} as="moment" /> : texts.words.never],
          [facts.code, envelope.otpRequired ? texts.envelopes.codeNeeded : texts.envelopes.codeNotNeeded],
          [facts.message, envelope.message],
          [facts.labels, labels.length > 0 && <Labels labels={labels} />],
          [facts.id, <code>{envelope.id}</code>],
        ]}
      />
    </aside>
  )
}

function Labels({ labels }: { labels: readonly (readonly [string, string])[] }) {
  return (
    <ul className="labels">
      {labels.map(([name, value]) => (
        <li key={name}>
          <code>
            {name}={value}
          </code>
        </li>
      ))}
    </ul>
  )
}
