// The signer, the list of documents, and the main button. On narrow screens the button stays at the bottom.
import { Button } from 'react-aria-components/Button'
import { ActionButton } from '../../components/action-button.tsx'
import { CheckIcon, DocumentIcon } from '../../components/icons.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { texts } from '../../locales/texts.ts'
import type { NextAction } from '../ceremony.ts'
import type { CeremonyDocument, SigningView } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'
import { SenderNote } from '../sender-note.tsx'

export interface ReadingPanelProps {
  view: SigningView
  openedIds: readonly string[]
  seenPages: SeenPages
  currentId: string
  next: NextAction
  onChoose: (id: string) => void
  onSign: () => void
}

export function ReadingPanel({ view, openedIds, seenPages, currentId, next, onChoose, onSign }: ReadingPanelProps) {
  return (
    <aside className="reading-panel">
      <div className="reading-envelope">
        <p className="eyebrow">{texts.documents.eyebrow}</p>
        <StepHeading title={view.envelopeTitle}>{view.envelopeTitle}</StepHeading>
        <SenderNote view={view} />
        <p className="muted">
          {texts.documents.signingAs} <strong>{view.signerName}</strong>
          <br />
          {view.signerEmail}
        </p>
      </div>
      <h2 className="list-title">{texts.documents.listTitle(view.documents.length)}</h2>
      <ol className="document-list">
        {view.documents.map((document) => (
          <li key={document.id}>
            <DocumentEntry
              document={document}
              isCurrent={document.id === currentId}
              isOpened={openedIds.includes(document.id)}
              seenCount={seenPages[document.id]?.length ?? 0}
              onChoose={() => onChoose(document.id)}
            />
          </li>
        ))}
      </ol>
      <NextStep
        view={view}
        openedCount={openedIds.length}
        seenPages={seenPages}
        currentId={currentId}
        next={next}
        onChoose={onChoose}
        onSign={onSign}
      />
    </aside>
  )
}

interface DocumentEntryProps {
  document: CeremonyDocument
  isCurrent: boolean
  isOpened: boolean
  seenCount: number
  onChoose: () => void
}

function DocumentEntry({ document, isCurrent, isOpened, seenCount, onChoose }: DocumentEntryProps) {
  return (
    <Button className="document-entry" aria-current={isCurrent} onPress={onChoose}>
      <span className={isOpened ? 'document-state document-state-opened' : 'document-state'}>
        {isOpened ? <CheckIcon /> : <DocumentIcon />}
      </span>
      <span className="document-name">
        {document.filename}
        <span className="document-seen">{texts.documents.pagesSeen(seenCount, document.pages)}</span>
      </span>
      <span className="visually-hidden">, {isOpened ? texts.documents.opened : texts.documents.notOpened}</span>
    </Button>
  )
}

interface NextStepProps extends Omit<ReadingPanelProps, 'openedIds'> {
  openedCount: number
}

function NextStep({ view, openedCount, seenPages, currentId, next, onChoose, onSign }: NextStepProps) {
  const total = view.documents.length
  const pages = view.documents.reduce((sum, document) => sum + document.pages, 0)
  const seen = view.documents.reduce((sum, { id }) => sum + (seenPages[id]?.length ?? 0), 0)
  // The last unread document is on screen but still loading: there is nothing else to open, and signing is not possible yet.
  const isWaiting = next.kind === 'open' && next.document.id === currentId
  const isSign = next.kind === 'sign' || isWaiting
  return (
    <div className="next-step">
      <p className="hint" role="status">
        {texts.documents.pagesSeen(seen, pages)}.{' '}
        {next.kind === 'sign' ? texts.documents.ready(total) : texts.documents.progress(openedCount, total)}
      </p>
      <ActionButton
        look="primary"
        isDisabled={isWaiting}
        onPress={() => (next.kind === 'sign' ? onSign() : onChoose(next.document.id))}
      >
        {isSign ? texts.documents.sign : texts.documents.nextDocument}
      </ActionButton>
    </div>
  )
}
