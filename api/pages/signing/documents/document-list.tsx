// The documents of the envelope with what was read of each; choosing one shows it in the reader.
import { Button } from 'react-aria-components/Button'
import { CheckIcon, DocumentIcon } from '../../components/icons.tsx'
import { texts } from '../../locales/texts.ts'
import type { CeremonyDocument, SigningView } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'

export interface DocumentListProps {
  view: SigningView
  openedIds: readonly string[]
  seenPages: SeenPages
  currentId: string
  onChoose: (id: string) => void
}

export function DocumentList({ view, openedIds, seenPages, currentId, onChoose }: DocumentListProps) {
  return (
    <>
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
    </>
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
