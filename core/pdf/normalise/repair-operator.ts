// An operator with its operands, as pdf.js reads them: the last ones count, and a number goes on over a second sign. The signing page shows with pdf.js.
import { findFlaw, newFlawContext, signatureOf } from '../inspect/content-flaws.ts'
import { type ContentReader, newContentReader, nextOperator, readContent } from '../inspect/content-reader.ts'
import { OPERAND, type Operands } from '../inspect/operands.ts'
import { formatNumber } from '../read/syntax.ts'

/** Delimiters before and after each kind of operand. */
const DELIMITERS: Readonly<Record<number, readonly [string, string]>> = {
  [OPERAND.NAME]: ['/', ''],
  [OPERAND.LITERAL]: ['(', ')'],
  [OPERAND.ESCAPED]: ['(', ')'],
  [OPERAND.HEX]: ['<', '>'],
}
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?/y
/** More digits are no number that a page needs. */
const MAX_CHARACTERS = 100

/** Repairs the operator that the reader has just returned; the result is empty when it lacks an operand. */
export function newRepair(): (reader: ContentReader, operator: number) => Buffer {
  const check = newContentReader()
  return ({ bytes, operands, operatorStart, position }, operator) => {
    const expected = signatureOf(operator)?.numbers ?? -1
    const texts = textsOf(operands)
    const used = expected < 0 ? texts : texts.slice(texts.length - expected)
    const repaired = Buffer.from(`${used.join(' ')} ${bytes.toString('latin1', operatorStart, position)}`, 'latin1')
    readContent(check, repaired, 0)
    return nextOperator(check) === operator && findFlaw(check, operator, newFlawContext()) === undefined
      ? repaired
      : Buffer.alloc(0)
  }
}

function textsOf({ bytes, count, kinds, starts, ends }: Operands): string[] {
  return Array.from({ length: count }, (_, index) => {
    const text = bytes.toString('latin1', starts[index], ends[index])
    const kind = kinds[index] ?? 0
    if (kind === OPERAND.NUMBER) return numbersIn(text)
    const [before, after] = DELIMITERS[kind] ?? ['', '']
    return [`${before}${text}${after}`]
  }).flat()
}

/** A second point begins another number. */
function numbersIn(text: string): string[] {
  const numbers: string[] = []
  const written = text.slice(0, MAX_CHARACTERS).replaceAll(/(?<=[\d.-])-/g, '')
  NUMBER.lastIndex = 0
  for (let match = NUMBER.exec(written); match !== null; match = NUMBER.exec(written)) {
    const value = Number(match[0])
    if (Number.isFinite(value)) numbers.push(formatNumber(value))
  }
  return numbers
}
