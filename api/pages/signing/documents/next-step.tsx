// What is left to read, the way to it, and the main button. In a small window it stays at the bottom.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { NextPageIcon } from '../../components/icons.tsx'
import { texts } from '../../locales/texts.ts'
import type { NextAction } from '../ceremony.ts'
import type { SigningView } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'

export interface NextStepProps {
  view: SigningView
  openedCount: number
  seenPages: SeenPages
  currentId: string
  next: NextAction
  onChoose: (id: string) => void
  onSign: () => void
  /** Undefined once every page was seen. */
  onNextUnseen: (() => void) | undefined
}

export function NextStep({ view, openedCount, seenPages, currentId, next, onChoose, onSign, onNextUnseen }: NextStepProps) {
  const mainButton = useRef<HTMLButtonElement>(null)
  const total = view.documents.length
  const pages = view.documents.reduce((sum, document) => sum + document.pages, 0)
  const seen = view.documents.reduce((sum, { id }) => sum + (seenPages[id]?.length ?? 0), 0)
  // The last unread document is on screen but still loading: there is nothing else to open, and signing is not possible yet.
  const isWaiting = next.kind === 'open' && next.document.id === currentId
  const isSign = next.kind === 'sign' || isWaiting
  return (
    <div className="next-step">
      <p className="hint" role="status">
        <span>{texts.documents.pagesSeen(seen, pages)}.</span>{' '}
        <span className="next-step-advice">
          {next.kind === 'sign' ? texts.documents.ready(total) : texts.documents.progress(openedCount, total)}
        </span>
      </p>
      <ActionButton
        ref={mainButton}
        look="primary"
        isDisabled={isWaiting}
        onPress={() => (next.kind === 'sign' ? onSign() : onChoose(next.document.id))}
      >
        {isSign ? texts.documents.sign : texts.documents.nextDocument}
      </ActionButton>
      {onNextUnseen && <NextUnseenButton onPress={onNextUnseen} mainButton={mainButton} />}
    </div>
  )
}

interface NextUnseenButtonProps {
  onPress: () => void
  mainButton: RefObject<HTMLButtonElement | null>
}

/** Keeps the focus when pressed, for the next press; when it disappears with the last unseen page, the main button takes the focus. */
function NextUnseenButton({ onPress, mainButton }: NextUnseenButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      // Later, because the same change may just enable the main button.
      if (own === document.activeElement) queueMicrotask(() => mainButton.current?.focus())
    }
  }, [mainButton])
  return (
    <ActionButton ref={button} look="quiet" onPress={onPress}>
      <NextPageIcon />
      <span className="next-unseen-text">{texts.documents.nextUnseen}</span>
    </ActionButton>
  )
}
