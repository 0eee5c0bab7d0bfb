// The step in which the signer reads and signs: the document list with the main button beside the reader.
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import { PageFrame } from '../../components/page-frame.tsx'
import type { Failure } from '../../http/failure.ts'
import { texts } from '../../locales/texts.ts'
import { type Ceremony, type CeremonyEvent, nextAction } from '../ceremony.ts'
import { SignatureDialog } from '../signature/signature-dialog.tsx'
import type { SignatureDraft } from '../signature/signature-draft.ts'
import { DocumentReader } from './document-reader.tsx'
import { NextStep } from './next-step.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { usePlace } from './use-place.ts'
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
  const [isSignatureOpen, setSignatureOpen] = useState(false)
  const onFailure = useCallback((failure: Failure) => dispatch({ type: 'failed', failure }), [dispatch])
  const { recorder, onShown } = useViewRecorder(token, onFailure)
  const signing = useSign(token, recorder, dispatch)
  const [seenPages, addSeenPage] = useReadingProgress(view)
  const place = usePlace(view.documents, openedIds, seenPages)
  const { current, currentId } = place
  const next = nextAction(view.documents, openedIds, currentId)

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
  const reading = { view, seenPages, currentId, onChoose: place.choose }

  return (
    <PageFrame width="wide" footer={<p>{texts.documents.personal(view.signerName)}</p>}>
      <div className="reading">
        <ReadingPanel {...reading} openedIds={openedIds}>
          <NextStep
            {...reading}
            openedCount={openedIds.length}
            next={next}
            onSign={() => setSignatureOpen(true)}
            onNextUnseen={place.goToUnseen}
          />
        </ReadingPanel>
        {current && (
          <DocumentReader
            key={current.id}
            document={current}
            place={place}
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
