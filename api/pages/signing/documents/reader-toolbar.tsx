// The toolbar above the pages: current page, zoom, download.
import { Toolbar } from 'react-aria-components/Toolbar'
import { ActionButton } from '../../components/action-button.tsx'
import { DownloadIcon, FitWidthIcon, MinusIcon, PlusIcon, SignatureFieldIcon } from '../../components/icons.tsx'
import { texts } from '../../locales/texts.ts'
import { FIT_WIDTH_ZOOM, stepZoom } from '../../pdf/page-size.ts'
import type { CeremonyDocument } from '../ceremony-client.ts'

export interface ReaderToolbarProps {
  document: CeremonyDocument
  page: { current: number; total: number } | undefined
  zoom: number
  onZoom: (zoom: number) => void
  onDownload: () => void
  /** Undefined while there is no signature field to go to. */
  onNextMarker: (() => void) | undefined
}

export function ReaderToolbar({ document, page, zoom, onZoom, onDownload, onNextMarker }: ReaderToolbarProps) {
  const larger = stepZoom(zoom, 'in')
  const smaller = stepZoom(zoom, 'out')
  return (
    <div className="reader-toolbar">
      <p className="reader-title">
        <span className="document-name">{document.filename}</span>
        {page && <span className="muted">{texts.reader.pagePosition(page.current, page.total)}</span>}
      </p>
      <Toolbar className="reader-tools" aria-label={texts.reader.toolbar}>
        {onNextMarker && (
          <ActionButton look="quiet" aria-label={texts.reader.nextMarker} onPress={onNextMarker}>
            <SignatureFieldIcon />
            <span className="next-marker-text">{texts.reader.nextMarker}</span>
          </ActionButton>
        )}
        <ActionButton look="icon" aria-label={texts.reader.zoomOut} isDisabled={smaller === zoom} onPress={() => onZoom(smaller)}>
          <MinusIcon />
        </ActionButton>
        <span className="zoom-level">{Math.round(zoom * 100)} %</span>
        <ActionButton look="icon" aria-label={texts.reader.zoomIn} isDisabled={larger === zoom} onPress={() => onZoom(larger)}>
          <PlusIcon />
        </ActionButton>
        <span className="fit-width">
          <ActionButton
            look="icon"
            aria-label={texts.reader.fitWidth}
            isDisabled={zoom === FIT_WIDTH_ZOOM}
            onPress={() => onZoom(FIT_WIDTH_ZOOM)}
          >
            <FitWidthIcon />
          </ActionButton>
        </span>
        <a
          className="button button-icon"
          href={document.downloadUrl}
          rel="noreferrer"
          download
          aria-label={texts.reader.download}
          onClick={onDownload}
        >
          <DownloadIcon />
        </a>
      </Toolbar>
    </div>
  )
}
