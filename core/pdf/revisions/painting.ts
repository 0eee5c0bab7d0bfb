// Whether an appearance paints anything. Signing programs give invisible signatures an appearance of empty forms within forms.
import { newContentReader, nextOperator, operatorCode, readContent } from '../inspect/content-reader.ts'
import { tooComplex } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfStream, type PdfValue } from '../read/value.ts'
import { dictIn } from './comparison.ts'

/** Operators that change only the state, and those of paths and text objects that are not painted (ISO 32000-2, annex A). */
const UNPAINTED = new Set(
  'q Q cm w J j M d ri i gs CS cs SC SCN sc scn G g RG rg K k W W* m l c v y h re n BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* BMC BDC EMC MP DP BX EX'
    .split(' ')
    .map(operatorCode),
)
const DRAW_OBJECT = operatorCode('Do')
const MAX_FORMS = 1_000

/** True only if no content of the appearance dictionary, nor any form in its resources, can paint. */
export function paintsNothing(file: PdfFile, appearance: PdfValue | undefined): boolean {
  const seen = new Set<number>()
  const waiting: PdfValue[] = appearance === undefined ? [] : [appearance]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isSeen(seen, next)) continue
    const value = file.resolve(next)
    if (value.kind === 'dict') waiting.push(...value.entries.values())
    if (value.kind !== 'stream') continue
    if (!isUnpaintedForm(file, value)) return false
    waiting.push(...objectsOf(file, value))
  }
  return true
}

function isSeen(seen: Set<number>, value: PdfValue): boolean {
  if (value.kind !== 'ref') return false
  if (seen.has(value.num)) return true
  if (seen.size >= MAX_FORMS) throw tooComplex('an appearance in it has too many forms')
  seen.add(value.num)
  return false
}

/** The forms and images in the resources of a form. */
function objectsOf(file: PdfFile, { dict }: PdfStream): PdfValue[] {
  const objects = dictIn(file, dictIn(file, dict.entries.get('Resources'))?.entries.get('XObject'))
  return [...(objects?.entries.values() ?? [])]
}

function isUnpaintedForm(file: PdfFile, form: PdfStream): boolean {
  const kind = file.resolve(form.dict.entries.get('Subtype'))
  const content = isName(kind, 'Form') || !form.dict.entries.has('Subtype') ? file.decode(form) : undefined
  if (content === undefined) return false
  const reader = newContentReader()
  readContent(reader, content, 0)
  for (let code = nextOperator(reader); code !== 0; code = nextOperator(reader)) {
    if (code !== DRAW_OBJECT && !UNPAINTED.has(code)) return false
  }
  return true
}
