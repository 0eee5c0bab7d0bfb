// The step in which the signer reads and signs: the document list with the main button beside the reader.
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import { PageFrame } from '../../components/page-frame.tsx'
import type { Failure } from '../../http/failure.ts'
import { texts } from '../../locales/texts.ts'
import { type Ceremony, type CeremonyEvent, nextAction } from '../ceremony.ts'
import { SignatureDialog } from '../signature/signature-dialog.tsx'
import type { SignatureDraft } from '../signature/signature-draft.ts'
import { DocumentReader } from './document-reader.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { useReadingProgress } from './use-reading-progress.ts'
import { useSign } from './use-sign.ts'
import { useViewRecorder } from './use-view-recorder.ts'

export interface DocumentsStepProps {
  token: string
  step: Extract<Ceremony, { step: 'documents' }>
  signature: { draft: SignatureDraft; setDraft: Dispatch<SetStateAction<SignatureDraft>> }
  dispatch: Dispatch<CeremonyEvent>
}

export function DocumentsStep({ token, step, signature, dispatch }: DocumentsStepProps) {
  const { view, openedIds } = step
  const [firstId] = useState(() => firstToRead(step))
  const [currentId, setCurrentId] = useState(firstId)
  const [isSignatureOpen, setSignatureOpen] = useState(false)
  const onFailure = useCallback((failure: Failure) => dispatch({ type: 'failed', failure }), [dispatch])
  const { recorder, onShown } = useViewRecorder(token, onFailure)
  const signing = useSign(token, recorder, dispatch)
  const current = view.documents.find((document) => document.id === currentId)
  const next = nextAction(view.documents, openedIds, currentId)

  const [seenPages, addSeenPage] = useReadingProgress(view)
  const onDocumentShown = useCallback(() => {
    onShown()
    dispatch({ type: 'document-opened', id: currentId })
  }, [onShown, dispatch, currentId])
  const onSeen = useCallback(
    (page: number) => {
      addSeenPage(currentId, page)
      onDocumentShown()
    },
    [addSeenPage, onDocumentShown, currentId],
  )

  return (
    <PageFrame width="wide" footer={<p>{texts.documents.personal(view.signerName)}</p>}>
      <div className="reading">
        <ReadingPanel
          view={view}
          openedIds={openedIds}
          seenPages={seenPages}
          currentId={currentId}
          next={next}
          onChoose={setCurrentId}
          onSign={() => setSignatureOpen(true)}
        />
        {current && (
          <DocumentReader
            key={current.id}
            document={current}
            isFirst={current.id === firstId}
            onShown={onDocumentShown}
            onSeen={onSeen}
            onReload={() => dispatch({ type: 'reload' })}
          />
        )}
      </div>
      <SignatureDialog
        isOpen={isSignatureOpen}
        onClose={() => setSignatureOpen(false)}
        signerName={view.signerName}
        consent={view.consent?.text ?? ''}
        documentCount={view.documents.length}
        {...signature}
        signing={signing}
      />
    </PageFrame>
  )
}

function firstToRead({ view, openedIds }: DocumentsStepProps['step']): string {
  const unread = view.documents.find((document) => !openedIds.includes(document.id))
  return (unread ?? view.documents[0])?.id ?? ''
}
