// The documents of an envelope. Download URLs are secrets that expire: each download fetches a new one and does not keep it.
import { ActionButton } from '../../components/action-button.tsx'
import { DocumentIcon, DownloadIcon } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import type { AuditTrail, Envelope, EnvelopeDocument } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { followLink } from '../../http/save-file.ts'
import { useAction } from '../data/use-action.ts'
import type { Resource } from '../data/use-resource.ts'
import { Section } from '../frame/area.tsx'
import { EmptyState } from '../frame/parts.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { isArchived } from './envelope-history.ts'

export interface EnvelopeDocumentsProps {
  envelope: Envelope
  documents: Resource<EnvelopeDocument[]>
  trail: Resource<AuditTrail>
}

export function EnvelopeDocuments({ envelope, documents, trail }: EnvelopeDocumentsProps) {
  const areGone = trail.loaded.phase === 'ready' && isArchived(trail.loaded.value.events)
  return (
    <Section title={texts.envelopes.documentsTitle} {...(areGone && { hint: texts.envelopes.archived })}>
      <ResourceView resource={documents} lines={2}>
        {(list) =>
          list.length > 0 ? (
            <>
              {!areGone && list.every(({ downloadUrl }) => !downloadUrl) && <p className="hint">{texts.envelopes.noDownload}</p>}
              <ul className="rows rows-plain">
                {list.map((document) => (
                  <li key={document.id} className="row">
                    <DocumentIcon />
                    <span className="row-main">
                      <span className="row-title">{document.filename}</span>
                      {envelope.status === 'COMPLETED' && document.downloadUrl && !document.signedUrl && (
                        <span className="row-line">{texts.envelopes.sealing}</span>
                      )}
                    </span>
                    <Downloads envelope={envelope} document={document} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <EmptyState title={texts.envelopes.noDocuments} />
          )
        }
      </ResourceView>
    </Section>
  )
}

function Downloads({ envelope, document }: { envelope: Envelope; document: EnvelopeDocument }) {
  const store = useSessionStore()
  const download = useAction(
    () => store.call<EnvelopeDocument[]>({ method: 'GET', path: `/envelopes/${envelope.id}/documents` }),
    (fresh: EnvelopeDocument[], which: 'downloadUrl' | 'signedUrl') => {
      const url = fresh.find(({ id }) => id === document.id)?.[which]
      if (url) followLink(url, document.filename)
    },
  )
  const kinds = [
    ['signedUrl', texts.envelopes.sealedCopy],
    ['downloadUrl', texts.envelopes.original],
  ] as const
  return (
    <span className="button-row">
      {kinds
        .filter(([which]) => document[which])
        .map(([which, name]) => (
          <ActionButton
            key={which}
            look="quiet"
            aria-label={texts.envelopes.downloadOf(name, document.filename)}
            onPress={() => void download.run(which)}
          >
            <DownloadIcon />
            {name}
          </ActionButton>
        ))}
      {download.failure && <Notice tone="warning">{panelFailureText(download.failure)}</Notice>}
    </span>
  )
}
