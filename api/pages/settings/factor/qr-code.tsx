// A QR code as one SVG path. Dark on light also on dark pages: phones read no other.
import { create } from 'qrcode'
import { useMemo } from 'react'

/** Light modules around it (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4
const MODULE_PIXELS = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawModules(text), [text])
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      width={size * MODULE_PIXELS}
      height={size * MODULE_PIXELS}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect className="qr-ground" width={size} height={size} />
      <path className="qr-modules" d={path} />
    </svg>
  )
}

function drawModules(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const { size, data } = modules
  const squares = Array.from(data).flatMap((isDark, index) => {
    const [x, y] = [(index % size) + QUIET_ZONE, Math.floor(index / size) + QUIET_ZONE]
    return isDark ? [`M${x} ${y}h1v1h-1z`] : []
  })
  return { path: squares.join(''), size: size + 2 * QUIET_ZONE }
}
