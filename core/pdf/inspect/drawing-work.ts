// Bounds the work of drawing a page. Forms, patterns, glyphs and soft masks can draw each other, so a small file can take a viewer minutes.
// The work of each is added up once and counted for every use; nothing is expanded.
import { tooComplex } from '../pdf-error.ts'
import type { PdfPage } from '../read/page-tree.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import type { PdfValue } from '../read/value.ts'
import {
  type ContentReader,
  newContentReader,
  nextOperator,
  operatorCode,
  readContent,
  skipInlineImage,
} from './content-reader.ts'
import { type ContentFlaw, missingFont, newFlawFinder } from './content-flaws.ts'
import { type ContentDecoder, newContentDecoder } from './decode-content.ts'
import { type Drawable, type DrawingResources, type DrawingScope, newDrawingResources } from './drawing-resources.ts'
import { dictOf, itemsOf } from './entries.ts'
import { isString, lastName, stringAt } from './operands.ts'

/** Limit in operators. pdf.js takes about three seconds and 400 MiB for as many short lines; docs/figures.md has the measured costs. */
const MAX_WORK = 500_000
/** What one use of these costs in operators. A fill, gradient or pattern of a usual size: their size on the page is not read. */
const FORM_WORK = 6
const IMAGE_WORK = 40
const GROUP_WORK = 60
const FILL_WORK = 10
const GRADIENT_WORK = 400
const PATTERN_WORK = 400
/** Viewers stop at similar depths. */
const MAX_DEPTH = 32
const MAX_SAVED = 1_000
const SPACE = 0x20

/** The work of what the graphics state holds, for each use: a glyph of the current font, a fill or a stroke with the current pattern. */
interface State {
  /** The name of the current font when it is missing; empty otherwise. */
  readonly missing: string
  readonly glyph: number
  readonly fill: number
  readonly stroke: number
}

interface Work {
  readonly reader: ContentReader
  readonly decoder: ContentDecoder
  readonly resources: DrawingResources
  /** Work by drawable, scope and state; OPEN while it is being added up. */
  readonly known: Map<string, number>
  readonly glyphs: WeakMap<DrawingScope, Map<string, number>>
  /** The drawables whose content is counted in `allowance`, by object number. */
  readonly counted: Set<number>
  /** What is allowed for the contents so far: what a page draws once, such as all of it in one form, is limited by its length. */
  allowance: number
  /** True: the work of a page is added up again when it seems too much. */
  readonly isFirstLook: boolean
  readonly report: FlawReport
  page: PdfPage | undefined
  /** Text within a glyph is no words: every reader takes the text of the glyph's own code. */
  isInGlyph: boolean
}

/** Receives a flaw in the content of the page, or of a drawing with this object number that the page uses. */
export type FlawReport = (flaw: ContentFlaw, page: PdfPage, drawing: number | undefined) => void

const OPEN = -1
const NOTHING: State = { missing: '', glyph: 0, fill: 0, stroke: 0 }

/**
 * The check of a page with its content. It throws DOCUMENT_TOO_COMPLEX for a page whose drawing takes too much work, and reports flaws of all content
 * that it reads on the way, each content at least once.
 */
export function openWorkCheck(file: PdfFile, report: FlawReport = () => {}): (page: PdfPage, content: Buffer) => void {
  const reader = newContentReader()
  const newWork = (isFirstLook: boolean): Work => ({
    isFirstLook,
    report,
    page: undefined,
    isInGlyph: false,
    reader,
    decoder: newContentDecoder(file),
    resources: newDrawingResources(file),
    known: new Map(),
    glyphs: new WeakMap(),
    counted: new Set(),
    allowance: MAX_WORK,
  })
  const shared = newWork(true)
  return (page, content) => {
    if (pageWork(file, shared, page, content) <= MAX_WORK + content.length) return
    // Added up again for this page alone, with the lengths of what it draws itself.
    const own = newWork(false)
    own.allowance += content.length
    if (pageWork(file, own, page, content) > own.allowance) throw tooComplex(`drawing page ${page.index + 1} takes too much work`)
  }
}

function pageWork(file: PdfFile, work: Work, page: PdfPage, content: Buffer): number {
  const scope = work.resources.scopeOf(page.attributes.get('Resources'))
  work.page = page
  let total = workOf(work, content, { scope, depth: 0, state: NOTHING, drawing: undefined, isNew: true })
  for (const appearance of appearancesOf(file, page)) {
    const drawable = work.resources.drawableOf(appearance, scope)
    if (drawable !== undefined) total += drawableWork(work, drawable, NOTHING, 0)
  }
  return total
}

function* appearancesOf(file: PdfFile, page: PdfPage): Generator<PdfValue> {
  for (const annotation of itemsOf(file, page.dict.entries.get('Annots'))) {
    const normal = dictOf(file, dictOf(file, annotation)?.entries.get('AP'))?.entries.get('N')
    const states = dictOf(file, normal)
    if (states !== undefined) yield* states.entries.values()
    else if (normal !== undefined) yield normal
  }
}

function drawableWork(work: Work, drawable: Drawable, state: State, depth: number): number {
  const place = drawable.ownScope ? '' : drawable.scope.id
  const key = `${drawable.id}/${place}/${state.glyph}/${state.fill}/${state.stroke}/${state.missing}`
  const known = work.known.get(key)
  if (known === OPEN) throw tooComplex('one of its drawings contains itself')
  if (known !== undefined) return known
  if (depth === MAX_DEPTH) throw tooComplex('the drawings of one of its pages are nested too deep')
  work.known.set(key, OPEN)
  const content = work.decoder.decode(drawable.stream)
  const isNew = !work.counted.has(drawable.id)
  if (isNew) work.allowance += content?.length ?? 0
  work.counted.add(drawable.id)
  const { bytes, position } = work.reader
  const reading = { depth: depth + 1, state, drawing: drawable.id, isNew }
  const own = content === undefined ? 0 : workOf(work, content, { scope: drawable.scope, ...reading })
  readContent(work.reader, bytes, position)
  const total = own + FORM_WORK + (drawable.isGroup ? GROUP_WORK : 0)
  work.known.set(key, total)
  return total
}

interface Reading {
  readonly scope: DrawingScope
  readonly depth: number
  readonly state: State
  /** Its object number; undefined for the content of a page. */
  readonly drawing: number | undefined
  /** It is read for the first time, so its flaws are reported. */
  readonly isNew: boolean
}

interface Run extends Reading {
  readonly work: Work
  readonly saved: State[]
  state: State
  total: number
}

function workOf(work: Work, content: Buffer, reading: Reading): number {
  const run: Run = { ...reading, work, saved: [], total: 0 }
  const flaws = run.isNew ? newFlawFinder() : undefined
  readContent(work.reader, content, 0)
  for (let operator = nextOperator(work.reader); operator !== 0; operator = nextOperator(work.reader)) {
    run.total++
    report(run, flaws?.next(work.reader, operator))
    OPERATORS.get(operator)?.(run)
    // Adding up the rest is of no use.
    if (run.total > work.allowance + (work.isFirstLook ? work.reader.position : content.length)) return Number.POSITIVE_INFINITY
  }
  if (run.drawing === undefined) report(run, flaws?.end(work.reader))
  return run.total
}

function report({ work, drawing }: Run, flaw: ContentFlaw | undefined): void {
  if (flaw !== undefined && work.page !== undefined) work.report(flaw, work.page, drawing)
}

const OPERATORS: ReadonlyMap<number, (run: Run) => void> = new Map(
  [
    on('q', ({ saved, state }) => {
      if (saved.length < MAX_SAVED) saved.push(state)
    }),
    on('Q', (run) => {
      run.state = run.saved.pop() ?? run.state
    }),
    on('Do', drawXObject),
    on('gs', setGraphicsState),
    on('Tf', (run) => {
      const name = nameOf(run)
      run.state = { ...run.state, glyph: glyphWork(run), missing: run.scope.hasFont(name) ? '' : name }
    }),
    on(`Tj TJ ' "`, showText),
    on('scn g rg k cs sc', (run) => {
      run.state = { ...run.state, fill: patternWork(run) }
    }),
    on('SCN G RG K CS SC', (run) => {
      run.state = { ...run.state, stroke: patternWork(run) }
    }),
    on('f F f*', (run) => (run.total += run.state.fill + FILL_WORK)),
    on('sh', (run) => (run.total += GRADIENT_WORK)),
    on('S s', (run) => (run.total += run.state.stroke)),
    on('B B* b b*', (run) => (run.total += run.state.fill + run.state.stroke + FILL_WORK)),
    on('ID', ({ work }) => skipInlineImage(work.reader)),
  ].flat(),
)

function on(operators: string, apply: (run: Run) => void): [number, (run: Run) => void][] {
  return operators.split(' ').map((operator) => [operatorCode(operator), apply])
}

function nameOf({ work }: Run): string {
  return lastName(work.reader.operands) ?? ''
}

function add(run: Run, drawable: Drawable | undefined): void {
  if (drawable !== undefined) run.total += drawableWork(run.work, drawable, run.state, run.depth)
}

function setGraphicsState(run: Run): void {
  const name = nameOf(run)
  add(run, run.scope.softMask(name))
  const hasFont = run.scope.hasStateFont(name)
  if (hasFont !== undefined) run.state = { ...run.state, missing: hasFont ? '' : name }
}

function drawXObject(run: Run): void {
  const xobject = run.scope.xobject(nameOf(run))
  if (xobject === 'image') run.total += IMAGE_WORK
  else add(run, xobject)
}

/** The work of a pattern that this operator sets; none for a colour. */
function patternWork(run: Run): number {
  const name = lastName(run.work.reader.operands)
  const pattern = name === undefined ? undefined : run.scope.pattern(name)
  return pattern === undefined ? 0 : drawableWork(run.work, pattern, NOTHING, run.depth) + PATTERN_WORK
}

/** The work of the most costly glyph of a Type 3 font. */
function glyphWork(run: Run): number {
  const { work, scope, depth } = run
  const name = nameOf(run)
  const fonts = work.glyphs.get(scope) ?? new Map<string, number>()
  work.glyphs.set(scope, fonts)
  const known = fonts.get(name)
  if (known !== undefined) return known
  fonts.set(name, 0)
  let most = 0
  const { isInGlyph } = work
  work.isInGlyph = true
  for (const glyph of scope.glyphs(name)) most = Math.max(most, drawableWork(work, glyph, NOTHING, depth))
  work.isInGlyph = isInGlyph
  fonts.set(name, most)
  return most
}

function showText(run: Run): void {
  const { glyph, fill, missing } = run.state
  if (glyph + fill === 0 && missing === '') return
  const { operands } = run.work.reader
  for (let index = 0; index < operands.count; index++) {
    if (!isString(operands, index)) continue
    const codes = stringAt(operands, index)
    run.total += codes.length * glyph + fill
    if (missing !== '' && !run.work.isInGlyph && codes.some((code) => code > SPACE)) report(run, missingFont(missing))
  }
}
