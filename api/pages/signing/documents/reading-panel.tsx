// The request, the list of documents and the next step. In a small window it is one line: the button in it opens the rest over the reader.
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ChevronDownIcon } from '../../components/icons.tsx'
import sealUrl from '../../components/seal.svg'
import { StepHeading } from '../../components/step-heading.tsx'
import { texts } from '../../locales/texts.ts'
import type { SigningView } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'
import { SenderNote } from '../sender-note.tsx'
import { DocumentList } from './document-list.tsx'

export interface ReadingPanelProps {
  view: SigningView
  openedIds: readonly string[]
  seenPages: SeenPages
  currentId: string
  onChoose: (id: string) => void
  /** The next step, always on screen. */
  children: ReactNode
}

/** A wide window always shows the details; only the styles decide what a window is wide enough for. */
export function ReadingPanel({ view, openedIds, seenPages, currentId, onChoose, children }: ReadingPanelProps) {
  const details = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)

  // The details cover the reader: they close when the focus goes elsewhere, as after a press on a page.
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setOpen(false)
    toggle.current?.focus()
  }
  const choose = (id: string) => {
    setOpen(false)
    if (isOpen) toggle.current?.focus()
    onChoose(id)
  }

  return (
    <aside className="reading-panel" aria-label={texts.documents.eyebrow}>
      <div className="reading-request" onBlur={onBlur} onKeyDown={onKeyDown}>
        <div className="reading-headline">
          <img className="headline-seal" src={sealUrl} alt="" width="24" height="24" />
          <div className="headline-title">
            <p className="eyebrow">{texts.documents.eyebrow}</p>
            <StepHeading title={view.envelopeTitle}>{view.envelopeTitle}</StepHeading>
          </div>
          <Button
            ref={toggle}
            className="button button-quiet details-toggle"
            aria-expanded={isOpen}
            aria-controls={details}
            onPress={() => setOpen(!isOpen)}
          >
            <span className="toggle-text">
              {texts.documents.listTitle(view.documents.length)}
              <span className="visually-hidden"> {texts.documents.andDetails}</span>
            </span>
            <ChevronDownIcon />
          </Button>
        </div>
        <div id={details} className="reading-details" data-open={isOpen} tabIndex={-1}>
          <SenderNote view={view} />
          <p className="muted">
            {texts.documents.signingAs} <strong>{view.signerName}</strong>
            <br />
            {view.signerEmail}
          </p>
          <DocumentList view={view} openedIds={openedIds} seenPages={seenPages} currentId={currentId} onChoose={choose} />
        </div>
      </div>
      {children}
    </aside>
  )
}
