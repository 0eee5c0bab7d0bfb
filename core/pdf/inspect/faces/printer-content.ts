// What printers and some viewers draw differently from the others: functions of a graphics state for devices (ISO 32000-2, table 57), alternate images
// (8.9.5.4) and PostScript XObjects (8.8.1 in ISO 32000-1). Allowed where no page uses them.
import { activeContent } from '../active-content.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { isName, isNull, type PdfDict, type PdfValue } from '../../read/value.ts'
import { dictOf, nameEntry } from '../entries.ts'
import type { Place } from '../live-objects.ts'
import { readPageUse } from './page-use.ts'

const DEVICE_FUNCTIONS = ['TR', 'TR2', 'HT', 'BG', 'BG2', 'UCR', 'UCR2']
/** Named values, which change nothing. */
const HARMLESS = ['Default', 'Identity']

interface Found {
  readonly num: number
  readonly what: string
}

export interface PrinterContentCheck {
  dictionary(dict: PdfDict, place: Place): void
  /** To be called after all dictionaries are visited. Throws DOCUMENT_ACTIVE_CONTENT when a page uses such content. */
  finish(): void
}

export function openPrinterContentCheck(file: PdfFile): PrinterContentCheck {
  /** What an object holds, by its number. */
  const found = new Map<number, string>()
  return {
    dictionary(dict, place) {
      for (const { num, what } of findIn(file, dict, place)) if (!found.has(num)) found.set(num, what)
    },
    finish() {
      if (found.size === 0) return
      const use = readPageUse(file)
      for (const [num, what] of found) {
        const page = use.get(num)
        if (page !== undefined) throw activeContent(`${what} on page ${page + 1} (object ${num})`)
      }
    },
  }
}

function* findIn(file: PdfFile, dict: PdfDict, { num = 0, ofStream }: Place): Generator<Found> {
  const states = dict.entries.get('ExtGState')
  if (states !== undefined) yield* inGraphicsStates(file, states, num, dict.entries.has('PatternType'))
  if (isName(dict.entries.get('Type'), 'ExtGState') && hasDeviceFunction(file, dict)) yield { num, what: DEVICE }
  if (!ofStream) return
  const alternates = file.resolve(dict.entries.get('Alternates'))
  if (alternates.kind === 'array' && alternates.items.length > 0) yield { num, what: 'an image with alternates for printing' }
  if (isPostScript(file, dict)) yield { num, what: 'PostScript' }
}

const DEVICE = 'a graphics state with a transfer, halftone, black generation or undercolour removal function'

/** The graphics states of resources, or the one of a shading pattern. */
function* inGraphicsStates(file: PdfFile, states: PdfValue, num: number, ofPattern: boolean): Generator<Found> {
  const holder = states.kind === 'ref' ? states.num : num
  const dict = dictOf(file, states)
  if (dict === undefined) return
  for (const value of ofPattern ? [states] : dict.entries.values()) {
    const state = dictOf(file, value)
    if (state !== undefined && hasDeviceFunction(file, state))
      yield { num: value.kind === 'ref' ? value.num : holder, what: DEVICE }
  }
}

function hasDeviceFunction(file: PdfFile, { entries }: PdfDict): boolean {
  return DEVICE_FUNCTIONS.some((key) => {
    const value = entries.get(key)
    return value !== undefined && !isHarmless(file, value)
  })
}

/** A transfer function may be an array, one for each colour component. */
function isHarmless(file: PdfFile, entry: PdfValue): boolean {
  const value = file.resolve(entry)
  if (value.kind === 'array') return value.items.every((item) => isHarmlessName(file.resolve(item)))
  return isNull(value) || isHarmlessName(value)
}

function isHarmlessName(value: PdfValue): boolean {
  return value.kind === 'name' && HARMLESS.includes(value.name)
}

function isPostScript(file: PdfFile, dict: PdfDict): boolean {
  const subtype = nameEntry(file, dict, 'Subtype')
  const isForm =
    subtype === 'Form' && (nameEntry(file, dict, 'Subtype2') === 'PS' || !isNull(file.resolve(dict.entries.get('PS'))))
  return subtype === 'PS' || isForm
}
