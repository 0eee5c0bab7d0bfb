// Scans page content only to determine the state at its end, so that a seal can be drawn after it in default user space (ISO 32000-2,
// 8.4.2). Counts what is still open: saved states, text objects, paths, marked content.
import { effectOf, type Effect } from './content-operators.ts'
import { endOfInlineImage } from './inline-image.ts'
import { isRegular, isSpace } from '../read/lexer.ts'

export interface ContentEnd {
  /** Number of Q without a matching q. Viewers ignore such a Q. */
  readonly surplusRestores: number
  /** If the page were wrapped in q and Q, a surplus Q would restore a state that later painting depends on. */
  readonly restoreMatters: boolean
  /** Number of q that are open at the end. */
  readonly openSaves: number
  readonly inText: boolean
  readonly inPath: boolean
  readonly openMarks: number
  /** The content ends inside a string, an array, a dictionary or an inline image, which would swallow what is appended. */
  readonly truncated: boolean
}

interface Scan {
  surplusRestores: number
  restoreMatters: boolean
  openSaves: number
  inText: boolean
  inPath: boolean
  openMarks: number
  /** Open arrays and dictionaries. */
  brackets: number
  /** The state outside any q was changed; a surplus Q has undone such a change. */
  changed: boolean
  undone: boolean
}

/** Scans the content of a page, its streams joined. Never throws: syntax errors are skipped, as in viewers. */
export function scanContent(bytes: Buffer): ContentEnd {
  const scan: Scan = {
    surplusRestores: 0,
    restoreMatters: false,
    openSaves: 0,
    inText: false,
    inPath: false,
    openMarks: 0,
    brackets: 0,
    changed: false,
    undone: false,
  }
  let at = 0
  while (at < bytes.length && at >= 0) at = step(scan, bytes, at)
  const { surplusRestores, restoreMatters, openSaves, inText, inPath, openMarks } = scan
  const truncated = at < 0 || scan.brackets > 0
  return { surplusRestores, restoreMatters, openSaves, inText, inPath, openMarks, truncated }
}

/** Reads one token; returns where the next one may start, or -1 for an unclosed token. */
function step(scan: Scan, bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if (isSpace(byte)) return at + 1
  if (isRegular(byte)) return word(scan, bytes, at)
  switch (byte) {
    case SLASH:
      return runEnd(bytes, at + 1)
    case PERCENT:
      return lineEnd(bytes, at)
    case OPEN_PARENTHESIS:
      return literalEnd(bytes, at)
    default:
      return bracket(scan, bytes, at, byte)
  }
}

function word(scan: Scan, bytes: Buffer, at: number): number {
  const end = runEnd(bytes, at)
  const effect = effectOf(bytes, at, end)
  if (effect === undefined || scan.brackets > 0) return end
  if (effect === 'image') {
    paint(scan)
    return endOfInlineImage(bytes, end)
  }
  APPLY[effect](scan)
  return end
}

const APPLY: Readonly<Record<Exclude<Effect, 'image'>, (scan: Scan) => void>> = {
  save: (scan) => scan.openSaves++,
  restore,
  state(scan) {
    if (scan.openSaves === 0) scan.changed = true
  },
  path(scan) {
    scan.inPath = true
  },
  endPath(scan) {
    scan.inPath = false
    paint(scan)
  },
  paint,
  beginText(scan) {
    scan.inText = true
  },
  endText(scan) {
    scan.inText = false
  },
  mark: (scan) => scan.openMarks++,
  endMark(scan) {
    scan.openMarks = Math.max(0, scan.openMarks - 1)
  },
}

function restore(scan: Scan): void {
  if (scan.openSaves > 0) {
    scan.openSaves--
    return
  }
  scan.surplusRestores++
  if (scan.changed) scan.undone = true
}

function paint(scan: Scan): void {
  if (scan.undone) scan.restoreMatters = true
}

function bracket(scan: Scan, bytes: Buffer, at: number, byte: number): number {
  const doubled = (byte === LESS || byte === GREATER) && bytes[at + 1] === byte
  if (byte === LESS && !doubled) return hexEnd(bytes, at)
  if (byte === OPEN_BRACKET || byte === LESS) scan.brackets++
  else if (byte === CLOSE_BRACKET || doubled) scan.brackets = Math.max(0, scan.brackets - 1)
  return at + (doubled ? 2 : 1)
}

function hexEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(GREATER, at)
  return end < 0 ? -1 : end + 1
}

function runEnd(bytes: Buffer, from: number): number {
  let at = from
  while (isRegular(bytes[at] ?? -1)) at++
  return at
}

function lineEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
  return at
}

function literalEnd(bytes: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN_PARENTHESIS) depth++
    else if (byte === CLOSE_PARENTHESIS && --depth === 0) return at + 1
  }
  return -1
}

const PERCENT = 0x25
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const SLASH = 0x2f
const LESS = 0x3c
const GREATER = 0x3e
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
