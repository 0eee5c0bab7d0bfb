// Shows one document with pdf.js. `onSeen` is called for each page that was seen, `onShown` when a signer downloads
// the document, because it may not be displayable here.
import { useEffect, useRef } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { DownloadIcon } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { texts } from '../../locales/texts.ts'
import { PdfPages } from '../../pdf/pdf-pages.tsx'
import { usePdf } from '../../pdf/use-pdf.ts'
import { useSeenPages } from '../../pdf/use-seen-pages.ts'
import { useZoom } from '../../pdf/use-zoom.ts'
import type { CeremonyDocument } from '../ceremony-client.ts'
import { ReaderToolbar } from './reader-toolbar.tsx'
import { useNextMarker } from './use-next-marker.ts'
import type { PlaceControl } from './use-place.ts'

export interface DocumentReaderProps {
  document: CeremonyDocument
  place: PlaceControl
  onShown: () => void
  onSeen: (pageNumber: number) => void
  /** Fetches new download URLs and starts again. */
  onReload: () => void
}

export function DocumentReader({ document, place, onShown, onSeen, onReload }: DocumentReaderProps) {
  const { isFirst, currentPage, goal, onCurrent } = place
  const reader = useRef<HTMLElement>(null)
  const state = usePdf(document.downloadUrl)
  const [zoom, setZoom] = useZoom(reader)
  const goToNextMarker = useNextMarker(reader)
  useSeenPages(reader, onSeen)
  useEffect(() => {
    if (!isFirst) reader.current?.scrollIntoView({ block: 'start' })
  }, [isFirst])
  const isReady = state.status === 'ready'
  useEffect(() => {
    if (isReady && goal?.documentId === document.id) scrollToPage(reader.current, goal.page)
  }, [isReady, goal, document.id])
  useEffect(() => {
    // No page can be seen here: the next unseen one is in another document.
    if (state.status === 'failed') onCurrent(document.pages)
  }, [state.status, onCurrent, document.pages])
  return (
    <section ref={reader} className="reader" aria-label={document.filename}>
      <ReaderToolbar
        document={document}
        page={state.status === 'ready' ? { current: currentPage, total: state.pdf.numPages } : undefined}
        zoom={zoom}
        onZoom={setZoom}
        onDownload={onShown}
        onNextMarker={state.status === 'ready' && document.markers.length > 0 ? goToNextMarker : undefined}
      />
      {state.status === 'loading' && <Loading loadedPart={state.loadedPart} />}
      {state.status === 'failed' && <Failed document={document} onDownload={onShown} onReload={onReload} />}
      {state.status === 'ready' && (
        <PdfPages pdf={state.pdf} firstPage={state.firstPage} markers={document.markers} zoom={zoom} onCurrent={onCurrent} />
      )}
    </section>
  )
}

function scrollToPage(reader: HTMLElement | null, pageNumber: number): void {
  reader?.querySelectorAll('.pdf-page')[pageNumber - 1]?.scrollIntoView({ block: 'start' })
}

function Loading({ loadedPart }: { loadedPart: number | undefined }) {
  return (
    <div className="pdf-pages">
      <div className="pdf-page pdf-page-loading">
        <Spinner label={texts.reader.loading} isLabelShown />
        {loadedPart !== undefined && <progress max={1} value={loadedPart} aria-label={texts.reader.loading} />}
      </div>
    </div>
  )
}

function Failed({
  document,
  onDownload,
  onReload,
}: {
  document: CeremonyDocument
  onDownload: () => void
  onReload: () => void
}) {
  return (
    <div className="reader-failed">
      <Notice tone="warning" title={texts.reader.failedTitle}>
        <p>{texts.reader.failedBody}</p>
        <p className="button-row">
          <ActionButton look="secondary" onPress={onReload}>
            {texts.shared.tryAgain}
          </ActionButton>
          <a className="button button-secondary" href={document.downloadUrl} rel="noreferrer" download onClick={onDownload}>
            <DownloadIcon />
            {texts.reader.download}
          </a>
        </p>
      </Notice>
    </div>
  )
}
