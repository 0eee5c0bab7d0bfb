// Whether a CMap writes downwards stands in its program and in its dictionary (ISO 32000-2, 9.7.5.3). MuPDF goes by the dictionary, the others by the program.
import { irregular } from '../../pdf-error.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { isName, isNull, type PdfDict, type PdfStream } from '../../read/value.ts'
import { type ContentReader, newContentReader, nextOperator, readContent } from '../content-reader.ts'
import { withFallback } from '../decode-content.ts'
import { OPERAND, type Operands } from '../operands.ts'
import { nameText } from '../token-value.ts'
import { readPageUse } from './page-use.ts'

const KEY = 'WMode'

/** Whether a CMap program writes downwards. */
export function isVertical(reader: ContentReader, program: Buffer): boolean {
  return Number.parseFloat(modeIn(reader, program)) !== 0
}

/** The writing mode as the program writes it; 0 is the default. */
function modeIn(reader: ContentReader, program: Buffer): string {
  let mode = '0'
  readContent(reader, program, 0)
  while (nextOperator(reader) !== 0) mode = modeAmong(reader.operands) ?? mode
  return mode
}

function modeAmong({ bytes, count, kinds, starts, ends }: Operands): string | undefined {
  for (let index = count - 2; index >= 0; index--) {
    const isKey = kinds[index] === OPERAND.NAME && nameText(bytes, starts[index] ?? 0, ends[index] ?? 0) === KEY
    if (isKey && kinds[index + 1] === OPERAND.NUMBER) return bytes.toString('latin1', starts[index + 1], ends[index + 1])
  }
  return undefined
}

/** The writing mode that the dictionary of a CMap needs so that all readers follow its program; undefined where they do. */
export function missingMode(file: PdfFile, reader: ContentReader, cmap: PdfStream): 0 | 1 | undefined {
  const program = withFallback(() => file.decode(cmap), undefined)
  if (program === undefined) return undefined
  const mode = modeIn(reader, program)
  const direction = isVertical(reader, program) ? 1 : 0
  const declared = file.resolve(cmap.dict.entries.get(KEY))
  const agrees = isNull(declared) ? mode === String(direction) : declared.kind === 'number' && declared.value === direction
  return agrees ? undefined : direction
}

export interface DirectionCheck {
  dictionary(dict: PdfDict): void
  /** To be called after all dictionaries are visited. Throws DOCUMENT_INVALID when a page uses a CMap with two directions. */
  finish(): void
}

export function openDirectionCheck(file: PdfFile): DirectionCheck {
  let reader: ContentReader | undefined
  /** Whether a CMap has two directions, by its number. */
  const known = new Map<number, boolean>()
  return {
    dictionary({ entries }) {
      const encoding = entries.get('Encoding')
      if (encoding?.kind !== 'ref' || known.has(encoding.num) || !isName(file.resolve(entries.get('Subtype')), 'Type0')) return
      const { num } = encoding
      const cmap = withFallback(() => file.get(num), undefined)
      reader ??= newContentReader()
      known.set(num, cmap?.kind === 'stream' && missingMode(file, reader, cmap) !== undefined)
    },
    finish() {
      const use = [...known.values()].includes(true) ? readPageUse(file) : undefined
      for (const [num, isSplit] of known) {
        const page = isSplit ? use?.get(num) : undefined
        if (page !== undefined) throw irregular(`a font on page ${page + 1} writes in two directions (object ${num})`)
      }
    },
  }
}
