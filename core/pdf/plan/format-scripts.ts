// Scripts of form fields that only call Acrobat's format helpers. They format what a person types and do nothing else, so the upload is
// accepted and the seal drops them.
import { type FormField, walkFields } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { rawDict } from '../read/syntax.ts'
import { textOf, textOfBytes } from '../read/text-string.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'

const MAX_SCRIPT_CHARACTERS = 10_000

const LITERAL = String.raw`(?:-?(?:\d+(?:\.\d*)?|\.\d+)|true|false|"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*')`
const LITERALS = String.raw`(?:${LITERAL}\s*(?:,\s*${LITERAL}\s*)*)?`
const ARGUMENT = String.raw`(?:${LITERAL}|new\s+Array\s*\(\s*${LITERALS}\)|\[\s*${LITERALS}\])`
const CALL = new RegExp(
  String.raw`\s*AF(?:Date|Number|Percent|Special|Time|Simple|Range)_[A-Za-z]+\s*\(\s*(?:${ARGUMENT}\s*(?:,\s*${ARGUMENT}\s*)*)?\)\s*;?`,
  'y',
)

/** Whether the text is nothing but calls of the helpers with literal arguments. */
export function isFormatScript(text: string): boolean {
  if (text.length > MAX_SCRIPT_CHARACTERS) return false
  CALL.lastIndex = 0
  let end = 0
  while (CALL.test(text)) end = CALL.lastIndex
  return end > 0 && text.slice(end).trim() === ''
}

/** Whether the action is a script of this kind and nothing else. */
export function isFormatAction(file: PdfFile, action: PdfDict): boolean {
  if (action.ambiguous || !isName(file.resolve(action.entries.get('S')), 'JavaScript')) return false
  const script = file.resolve(action.entries.get('JS'))
  if (script.kind === 'string') return isFormatScript(textOf(script))
  const data = script.kind === 'stream' ? file.decode(script) : undefined
  return data !== undefined && isFormatScript(textOfBytes(data))
}

/** A name of a script, written out, in the raw text of an object. */
const SCRIPT_NAME = /\/(?:JS|JavaScript)(?![^\s()<>[\]{}/%])/

/**
 * The numbers of the objects with format scripts that the seal drops when it writes the field without /AA; undefined when the field has
 * none, or also has others.
 */
export function droppedScripts(file: PdfFile, { dict, ref }: FormField): number[] | undefined {
  const events = dict.entries.get('AA')
  const actions = file.resolve(events)
  if (ref === undefined || dict.ambiguous || actions.kind !== 'dict') return undefined
  const values = [...actions.entries.values()]
  const scripts = values.filter((value) => isScript(file, value))
  const rest = rawDict(dict, ['AA'], [])
    .toString('latin1')
    .replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (scripts.length === 0 || SCRIPT_NAME.test(rest) || !scripts.every((value) => isFormatValue(file, value))) return undefined
  return [ref, events, ...scripts].flatMap((value) => (value?.kind === 'ref' ? [value.num] : []))
}

/** The numbers of all objects with scripts that the seal drops, or could drop if the document were not signed. */
export function formatScriptObjects(file: PdfFile): ReadonlySet<number> {
  const objects = new Set<number>()
  for (const field of walkFields(file)) for (const num of droppedScripts(file, field) ?? []) objects.add(num)
  return objects
}

function isScript(file: PdfFile, value: PdfValue): boolean {
  const action = file.resolve(value)
  return action.kind === 'dict' && (action.entries.has('JS') || isName(file.resolve(action.entries.get('S')), 'JavaScript'))
}

function isFormatValue(file: PdfFile, value: PdfValue): boolean {
  const action = file.resolve(value)
  return action.kind === 'dict' && isFormatAction(file, action)
}
