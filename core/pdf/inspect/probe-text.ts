// First pass of the marker scan: does this content show a marker at all? No geometry, no widths, almost no allocation; most pages end here.
// A marker does not span the border of a form, so each form is matched separately and read once.
import { type ContentReader, nextOperator, operatorCode, readContent, skipInlineImage } from './content-reader.ts'
import { type FormVisits, formKey, visitForm } from './form-visits.ts'
import { feed, type MarkerMatcher, newMatcher } from './marker-matcher.ts'
import { IGNORED_UNIT, OTHER_UNIT, SEQUENCE_UNIT } from './marker-units.ts'
import { isString, lastName, stringAt } from './operands.ts'
import { codeEndingAt, type Font, type TextScope } from './text-scope.ts'

/** Viewers allow far less; deeper saves are dropped. */
const MAX_SAVED = 1_000

interface Probe {
  readonly reader: ContentReader
  readonly visits: FormVisits
  readonly scope: TextScope
  readonly matcher: MarkerMatcher
  readonly saved: (Font | undefined)[]
  font: Font | undefined
  found: boolean
}

/** The relevant operators, by code. */
const OPERATORS: ReadonlyMap<number, (probe: Probe) => void> = new Map(
  Object.entries<(probe: Probe) => void>({
    Tj: showLast,
    TJ: (probe) => show(probe, 0),
    "'": showLast,
    '"': showLast,
    Tf(probe) {
      probe.font = probe.scope.font(lastName(probe.reader.operands) ?? '')
    },
    q({ saved, font }) {
      if (saved.length < MAX_SAVED) saved.push(font)
    },
    Q(probe) {
      if (probe.saved.length > 0) probe.font = probe.saved.pop()
    },
    Do: draw,
    ID({ reader }) {
      skipInlineImage(reader)
    },
  }).map(([name, operator]) => [operatorCode(name), operator]),
)

/**
 * Whether the content shows a marker, directly or in a form that it draws. `font` is the current font where a form is drawn; a page starts
 * without one. Throws DOCUMENT_TOO_COMPLEX.
 */
export function showsMarker(reader: ContentReader, visits: FormVisits, content: Buffer, scope: TextScope, font?: Font): boolean {
  const probe: Probe = { reader, visits, scope, matcher: newMatcher(), saved: [], font, found: false }
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0 && !probe.found; operator = nextOperator(reader)) {
    OPERATORS.get(operator)?.(probe)
  }
  return probe.found
}

function showLast(probe: Probe): void {
  show(probe, probe.reader.operands.count - 1)
}

function show(probe: Probe, first: number): void {
  const { font } = probe
  const { operands } = probe.reader
  if (font === undefined) return
  for (let index = Math.max(first, 0); index < operands.count; index++) {
    if (isString(operands, index)) feedString(probe, font, stringAt(operands, index))
  }
}

function feedString(probe: Probe, font: Font, bytes: Buffer): void {
  const { codeBytes, units } = font
  for (let at = codeBytes - 1; at < bytes.length; at += codeBytes) {
    const code = codeEndingAt(bytes, at, codeBytes)
    const unit = units[code] ?? OTHER_UNIT
    if (unit === IGNORED_UNIT) continue
    if (unit === SEQUENCE_UNIT) feedText(probe, font.sequences.get(code) ?? '')
    else if (feed(probe.matcher, unit)) probe.found = true
  }
}

function feedText(probe: Probe, text: string): void {
  for (let index = 0; index < text.length; index++) if (feed(probe.matcher, text.charCodeAt(index))) probe.found = true
}

function draw(probe: Probe): void {
  const { reader, visits, scope, font } = probe
  const form = scope.form(lastName(reader.operands) ?? '')
  if (form === undefined) return
  const key = formKey(form, font)
  const known = key === undefined ? undefined : visits.probed.get(key)
  const { bytes, position } = reader
  const found = known ?? visitForm(visits, form, (content) => showsMarker(reader, visits, content, form.scope, font))
  readContent(reader, bytes, position)
  if (key !== undefined && found !== undefined) visits.probed.set(key, found)
  if (found === true) probe.found = true
}
