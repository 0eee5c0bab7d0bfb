// Outlines over a drawn page that show where a seal will be. Sizes are parts of the page, so they scale with it.
import type { CSSProperties } from 'react'
import { texts } from '../locales/texts.ts'
import { markerPlace, type PageMarker, type Size } from './page-size.ts'

/** The outlines on one page whose size in PDF units is `page`. Each can take the focus, so that "Next signature field" can lead to it. */
export function PageMarkers({ markers, page }: { markers: readonly PageMarker[]; page: Size }) {
  return markers.map((marker) => (
    <div
      key={`${marker.x} ${marker.y}`}
      className="page-marker"
      role="note"
      tabIndex={-1}
      aria-label={texts.reader.signatureHere}
      style={markerPlace(marker, page) satisfies CSSProperties}
    >
      <span className="page-marker-label" aria-hidden="true">
        {texts.reader.signatureHere}
      </span>
    </div>
  ))
}
