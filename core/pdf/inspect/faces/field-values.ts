// What a field of the form shows when a viewer draws it: its value and how (ISO 32000-2, 12.7.4 and 12.7.5). Entries are inherited from the fields above.
import { readAcroForm } from '../../read/form-fields.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { textOf, textOfBytes } from '../../read/text-string.ts'
import { countOf, isNull, NULL, type PdfDict, type PdfValue } from '../../read/value.ts'
import { dictOf, itemsOf } from '../entries.ts'

const MAX_PARENTS = 64
const [MULTILINE, PASSWORD, PUSH_BUTTON, COMBO] = [1 << 12, 1 << 13, 1 << 16, 1 << 17]
/** Types with a value, each with the flag of fields that show none. */
const WITHOUT_VALUE = new Map([
  ['Tx', PASSWORD],
  ['Ch', 0],
  ['Btn', PUSH_BUTTON],
])

export interface FieldValue {
  readonly name: string
  readonly kind: 'text' | 'button'
  /** The lines of a text field, the chosen options, or the state of a button; empty without a value. */
  readonly text: string
  readonly multiline: boolean
  /** It also shows the options that are not chosen. */
  readonly isList: boolean
  /** The default appearance string; empty without one. */
  readonly appearance: string
  /** 0 left, 1 centred, 2 right. */
  readonly alignment: number
}

/** The value of the field of a widget; undefined for a signature, a push button or a password. */
export function fieldValueOf(file: PdfFile, widget: PdfDict): FieldValue | undefined {
  const type = inherited(file, widget, 'FT')
  const flags = countOf(inherited(file, widget, 'Ff')) ?? 0
  const hides = type.kind === 'name' ? WITHOUT_VALUE.get(type.name) : undefined
  if (type.kind !== 'name' || hides === undefined || (flags & hides) !== 0) return undefined
  const value = inherited(file, widget, 'V')
  const isChoice = type.name === 'Ch'
  return {
    name: nameOf(file, widget),
    kind: type.name === 'Btn' ? 'button' : 'text',
    text: isChoice ? choiceOf(file, value, inherited(file, widget, 'Opt')) : textIn(file, value),
    multiline: isChoice ? value.kind === 'array' : (flags & MULTILINE) !== 0,
    isList: isChoice && (flags & COMBO) === 0,
    ...lookOf(file, widget),
  }
}

function lookOf(file: PdfFile, widget: PdfDict): Pick<FieldValue, 'appearance' | 'alignment'> {
  const form = readAcroForm(file)
  const [appearance, alignment] = ['DA', 'Q'].map((key) => {
    const own = inherited(file, widget, key)
    return isNull(own) ? file.resolve(form?.entries.get(key)) : own
  })
  return { appearance: appearance?.kind === 'string' ? textOf(appearance) : '', alignment: countOf(alignment) ?? 0 }
}

function inherited(file: PdfFile, widget: PdfDict, key: string): PdfValue {
  let node: PdfDict | undefined = widget
  for (let level = 0; node !== undefined && level < MAX_PARENTS; level++) {
    const value = file.resolve(node.entries.get(key))
    if (!isNull(value)) return value
    node = dictOf(file, node.entries.get('Parent'))
  }
  return NULL
}

function nameOf(file: PdfFile, widget: PdfDict): string {
  const name = inherited(file, widget, 'T')
  return name.kind === 'string' ? textOf(name) : ''
}

function textIn(file: PdfFile, value: PdfValue): string {
  if (value.kind === 'string') return textOf(value)
  if (value.kind === 'name') return value.name === 'Off' ? '' : value.name
  const data = value.kind === 'stream' ? file.decode(value) : undefined
  return data === undefined ? '' : textOfBytes(data)
}

/** The options that are chosen, by what they show: an option may be a pair of export value and text. */
function choiceOf(file: PdfFile, value: PdfValue, options: PdfValue): string {
  const chosen = value.kind === 'array' ? value.items.map((item) => textIn(file, file.resolve(item))) : [textIn(file, value)]
  const shown = new Map<string, string>()
  for (const option of itemsOf(file, options)) {
    const [exported, text] = itemsOf(file, option).map((item) => textIn(file, file.resolve(item)))
    if (exported !== undefined && text !== undefined) shown.set(exported, text)
  }
  return chosen.map((each) => shown.get(each) ?? each).join('\n')
}
