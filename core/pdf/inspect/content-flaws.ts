// Content that readers do not read alike: operators without their operands (ISO 32000-2, annex A), operands that are not what the operator takes, and
// tokens without an end. Poppler drops everything after an operator that lacks an operand, pdf.js everything after a stray parenthesis, and
// MuPDF takes the first numbers where others take the last ones. Poppler also drops everything after a state that is restored without being saved.
import { contradictory, irregular, type PdfError } from '../pdf-error.ts'
import type { PdfPage } from '../read/page-tree.ts'
import { type ContentReader, operatorCode } from './content-reader.ts'
import { isString, MAX_OPERANDS, OPERAND, type Operands } from './operands.ts'

export interface ContentFlaw {
  /** A clause: "the operator gs lacks its operands". */
  readonly what: string
  /** `open`: a token without an end, which would swallow what is appended. `operator`: can be left out. `words`: not without a choice of words. */
  readonly kind: 'open' | 'operator' | 'words'
  /** What has to follow so that readers differ: nothing, text in the same text object, or anything that paints. */
  readonly matters: 'always' | 'to text' | 'to painting'
}

/**
 * The operands of each operator, a letter each: n number, N name, s string, a array, p a name or a dictionary, c numbers or names, at least one.
 */
const SIGNATURES: Readonly<Record<string, string>> = {
  'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*': '',
  'g G i j J M Tc TL Tr Ts Tw Tz w': 'n',
  'l m Td TD d0': 'nn',
  'rg RG': 'nnn',
  'k K re v y': 'nnnn',
  'c cm d1 Tm': 'nnnnnn',
  'sc SC scn SCN': 'c',
  'BMC cs CS Do gs MP ri sh': 'N',
  'BDC DP': 'Np',
  Tf: 'Nn',
  d: 'an',
  Tj: 's',
  TJ: 'a',
  "'": 's',
  '"': 'nns',
}

interface Signature {
  readonly name: string
  readonly code: number
  readonly operands: string
  /** Takes nothing but so many numbers. */
  readonly numbers: number
}

/** Signatures by a hash of the code, because contents have millions of operators. The test of the table finds a collision. */
const TABLE: (Signature | undefined)[] = Array.from({ length: 16_384 }, () => undefined)
for (const [names, operands] of Object.entries(SIGNATURES)) {
  for (const name of names.split(' ')) {
    const code = operatorCode(name)
    TABLE[hashOf(code)] = { name, code, operands, numbers: /^n*$/.test(operands) ? operands.length : -1 }
  }
}

function hashOf(code: number): number {
  return ((code & 0x7f) | ((code >> 1) & 0x3f80)) ^ ((code >> 16) & 0x7f)
}

const SHOWS_TEXT: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
/** LibreOffice writes three operands for Td, in text objects without text. */
const TEXT_POSITION: ReadonlySet<string> = new Set(['Td', 'TD', 'Tm'])
const PAINTS: ReadonlySet<number> = new Set([...SHOWS_TEXT, ...'f F f* B B* b b* S s sh Do ID'.split(' ')].map(operatorCode))
const [END_TEXT, SAVE, RESTORE] = [operatorCode('ET'), operatorCode('q'), operatorCode('Q')]
export const [BEGIN_IMAGE, IMAGE_DATA] = [operatorCode('BI'), operatorCode('ID')]
const MINUS = 0x2d
const POINT = 0x2e
const PLUS = 0x2b
const [ZERO, NINE] = [0x30, 0x39]

export interface FlawFinder {
  /** To be called after each operator. */
  next(reader: ContentReader, operator: number): ContentFlaw | undefined
  /** What is wrong with the end of a page's content; to be called after the last operator. */
  end(reader: ContentReader): ContentFlaw | undefined
}

/** Finds the flaws of one content from its start. */
export function newFlawFinder(): FlawFinder {
  const context = newFlawContext()
  const waiting: Waiting = {}
  return {
    next(reader, operator) {
      const found = findFlaw(reader, operator, context)
      if (operator === END_TEXT) delete waiting['to text']
      if (found === undefined) return firstThatMatters(waiting, operator)
      if (found.matters === 'always') return found
      waiting[found.matters] = found
      return firstThatMatters(waiting, operator)
    },
    end: ({ operands }) => {
      const isOpen = operands.unclosed || operands.depth > 0 || context.previous === BEGIN_IMAGE
      return isOpen ? flaw('a string, an array, a dictionary or an image at its end is not closed', 'open') : undefined
    },
  }
}

/** Flaws that matter only to what may follow. */
type Waiting = Partial<Record<Exclude<ContentFlaw['matters'], 'always'>, ContentFlaw>>

function firstThatMatters(waiting: Waiting, operator: number): ContentFlaw | undefined {
  const { 'to text': toText, 'to painting': toPainting } = waiting
  if (toText !== undefined && SHOWS_TEXT.has(signatureOf(operator)?.name ?? '')) return toText
  return toPainting !== undefined && PAINTS.has(operator) ? toPainting : undefined
}

/** What came before an operator. */
export interface FlawContext {
  /** The operator before it; 0 at the start. */
  previous: number
  /** How many states are saved. */
  saved: number
}

export function newFlawContext(): FlawContext {
  return { previous: 0, saved: 0 }
}

/** What is wrong with the operator that the reader has just returned; counts it in the context. */
export function findFlaw(reader: ContentReader, operator: number, context: FlawContext): ContentFlaw | undefined {
  const { operands } = reader
  const { previous, saved } = context
  context.previous = operator
  if (operator === SAVE) context.saved++
  else if (operator === RESTORE) {
    if (saved === 0) return flaw('it restores a state that it has not saved', 'operator', 'to painting')
    context.saved--
  }
  if (operands.depth > 0) return flaw('an array or a dictionary has no end', 'words')
  if ((operator === IMAGE_DATA) !== (previous === BEGIN_IMAGE)) return flaw('an image in it is damaged', 'words')
  if (operands.stray) return flaw('a closing parenthesis has no opening one', 'operator')
  const signature = signatureOf(operator)
  return signature === undefined || isWellFormed(operands, signature) ? undefined : operandFlaw(operands, signature)
}

/** Words in a font that its resources do not have: some readers take another one, others do not show them. */
export function missingFont(name: string): ContentFlaw {
  return flaw(`the font ${name} of some words is missing or damaged`, 'words')
}

function operandFlaw(operands: Operands, { name, numbers }: Signature): ContentFlaw {
  const isExcess = numbers > 0 && operands.count > numbers
  return {
    what: `the operator ${name} ${isExcess ? 'has too many operands' : 'lacks its operands'}`,
    kind: SHOWS_TEXT.has(name) && hasString(operands) ? 'words' : 'operator',
    matters: isExcess && TEXT_POSITION.has(name) ? 'to text' : 'always',
  }
}

/** The refusal of a page with such content of its own, or of a drawing with this object number. */
export function contentError({ what, kind }: ContentFlaw, page: PdfPage, drawing: number | undefined): PdfError {
  const place = drawing === undefined ? 'the content' : `a drawing (object ${drawing})`
  const reason = `${place} of page ${page.index + 1} is damaged: ${what}`
  return kind === 'words' ? contradictory(reason) : irregular(reason)
}

function flaw(what: string, kind: ContentFlaw['kind'], matters: ContentFlaw['matters'] = 'always'): ContentFlaw {
  return { what, kind, matters }
}

/** The name of the operator with this code, and how many numbers it takes if it takes nothing else; undefined for an unknown one. */
export function signatureOf(operator: number): Signature | undefined {
  const signature = TABLE[hashOf(operator)]
  return signature?.code === operator ? signature : undefined
}

function isWellFormed(operands: Operands, { operands: expected, numbers }: Signature): boolean {
  const { count } = operands
  if (numbers >= 0) return numbers === 0 || (count === numbers && areNumbers(operands))
  return count === MAX_OPERANDS || CHECKS[expected]?.(operands, count) === true
}

/** Checks of operators that take something else than numbers. */
const CHECKS: Readonly<Record<string, (operands: Operands, count: number) => boolean>> = {
  N: ({ kinds }, count) => kinds[count - 1] === OPERAND.NAME,
  Np: hasProperties,
  Nn: (operands, count) => count === 2 && operands.kinds[0] === OPERAND.NAME && isNumber(operands, 1),
  s: (operands, count) => isString(operands, count - 1),
  a: ({ kinds }, count) => kinds[count - 1] === OPERAND.CLOSE && kinds.lastIndexOf(OPERAND.OPEN, count - 1) >= 0,
  an: (operands, count) =>
    count >= 3 &&
    operands.kinds[0] === OPERAND.OPEN &&
    operands.kinds[count - 2] === OPERAND.CLOSE &&
    isNumber(operands, count - 1),
  nns: (operands, count) => count === 3 && isNumber(operands, 0) && isNumber(operands, 1) && isString(operands, 2),
  c: (operands, count) => count > 0 && areColours(operands),
}

/** A tag, and a name or a dictionary behind it. */
function hasProperties({ count, kinds, starts, dictionary }: Operands): boolean {
  if (dictionary >= 0) return count > 0 && kinds[0] === OPERAND.NAME && (starts[0] ?? 0) < dictionary
  return count >= 2 && kinds[count - 1] === OPERAND.NAME && kinds[count - 2] === OPERAND.NAME
}

function areColours(operands: Operands): boolean {
  for (let index = 0; index < operands.count; index++) {
    if (operands.kinds[index] !== OPERAND.NAME && !isNumber(operands, index)) return false
  }
  return true
}

function areNumbers(operands: Operands): boolean {
  for (let index = 0; index < operands.count; index++) if (!isNumber(operands, index)) return false
  return true
}

/** A number as the standard writes it (7.3.3): readers differ about a second sign or point. */
function isNumber({ bytes, kinds, starts, ends }: Operands, index: number): boolean {
  if (kinds[index] !== OPERAND.NUMBER) return false
  const start = starts[index] ?? 0
  return isUnsigned(bytes, isSign(bytes[start]) ? start + 1 : start, ends[index] ?? 0)
}

function isUnsigned(bytes: Buffer, start: number, end: number): boolean {
  let points = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === POINT) points++
    else if (byte < ZERO || byte > NINE) return false
  }
  return points <= 1 && end - start > points
}

function isSign(byte: number | undefined): boolean {
  return byte === MINUS || byte === PLUS
}

function hasString(operands: Operands): boolean {
  for (let index = 0; index < operands.count; index++) if (isString(operands, index)) return true
  return false
}
