// Refuses active content: scripts, launching programs, sending or fetching data, media. Links that a reader clicks and plain attachments
// are allowed. ISO 32000-2, 12.6.
import { PdfError } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { type PdfDict, type PdfValue, rawOf } from '../read/value.ts'

const SCRIPT = 'scripts'
const MEDIA = 'media that plays in the viewer'
const OUTSIDE = 'content that is loaded from outside the file'

/** Actions that are refused everywhere. A Rendition action plays media and can carry a script. */
const REFUSED_ACTIONS = new Map([
  ['JavaScript', SCRIPT],
  ['Launch', 'an action that starts a program'],
  ['SubmitForm', 'an action that sends form data'],
  ['ImportData', 'an action that imports data'],
  ['Rendition', MEDIA],
  ['Movie', MEDIA],
  ['Sound', MEDIA],
  ['RichMediaExecute', MEDIA],
])

/** Actions that open something outside the document: allowed as a link, refused where the viewer runs them without a click. */
const OPENING_ACTIONS = new Set(['URI', 'GoToR', 'GoToE', 'Thread'])

const REFUSED_ANNOTATIONS = new Set(['RichMedia', 'Movie', 'Sound'])

/** Actions that one event may chain (/Next); more are refused. */
const MAX_ACTIONS = 100

/** Any refused name, written out, in the raw text of a dictionary. */
const REFUSED_NAME = new RegExp(`/(?:JS|OnInstantiate|RichMedia|${[...REFUSED_ACTIONS.keys()].join('|')})(?![^\\s()<>[\\]{}/%])`)

/** Throws DOCUMENT_ACTIVE_CONTENT when this dictionary is, or triggers, refused content. */
export function refuseActiveContent(file: PdfFile, dict: PdfDict, ofStream: boolean): void {
  const found =
    findRefusedAction(file, dict) ??
    findRefusedAnnotation(file, dict) ??
    findOpeningEvent(file, dict) ??
    findExternalContent(file, dict, ofStream) ??
    findInDuplicateKeys(dict)
  if (found === undefined) return
  throw new PdfError('DOCUMENT_ACTIVE_CONTENT', `The document contains ${found}. Print it to a plain PDF and upload that.`)
}

function findRefusedAction(file: PdfFile, dict: PdfDict): string | undefined {
  const script = file.resolve(dict.entries.get('JS') ?? dict.entries.get('OnInstantiate'))
  if (script.kind === 'string' || script.kind === 'stream') return SCRIPT
  return REFUSED_ACTIONS.get(nameEntry(file, dict, 'S') ?? '')
}

function findRefusedAnnotation(file: PdfFile, dict: PdfDict): string | undefined {
  return REFUSED_ANNOTATIONS.has(nameEntry(file, dict, 'Subtype') ?? '') ? MEDIA : undefined
}

/** /OpenAction of the document and the events in /AA run without a click. */
function findOpeningEvent(file: PdfFile, dict: PdfDict): string | undefined {
  const events = file.resolve(dict.entries.get('AA'))
  const actions = events.kind === 'dict' ? [...events.entries.values()] : []
  const openAction = dict.entries.get('OpenAction')
  if (openAction !== undefined) actions.push(openAction)
  return actions.some((action) => opensOutside(file, action))
    ? 'an action that opens an external target automatically'
    : undefined
}

function opensOutside(file: PdfFile, first: PdfValue): boolean {
  const waiting = [first]
  for (let seen = 0; seen < waiting.length; seen++) {
    if (seen >= MAX_ACTIONS) return true
    const action = file.resolve(waiting[seen])
    if (action.kind !== 'dict') continue
    if (OPENING_ACTIONS.has(nameEntry(file, action, 'S') ?? '')) return true
    const next = file.resolve(action.entries.get('Next'))
    if (next.kind === 'dict') waiting.push(next)
    if (next.kind === 'array') waiting.push(...next.items.slice(0, MAX_ACTIONS))
  }
  return false
}

/** A stream whose data is an external file (/F, ISO 32000-2, 7.3.8.2), or a reference XObject (/Ref, 8.10.4). */
function findExternalContent(file: PdfFile, dict: PdfDict, ofStream: boolean): string | undefined {
  if (!ofStream) return undefined
  const { kind } = file.resolve(dict.entries.get('F'))
  // Some writers shorten /Filter to /F; only a string or a dictionary names a file.
  const external = kind === 'string' || kind === 'dict'
  return external || file.resolve(dict.entries.get('Ref')).kind === 'dict' ? OUTSIDE : undefined
}

/** Where a key occurs twice, viewers differ in which entry counts, so both are checked. */
function findInDuplicateKeys(dict: PdfDict): string | undefined {
  if (!dict.ambiguous) return undefined
  const text = rawOf(dict)
    .toString('latin1')
    .replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return REFUSED_NAME.test(text) ? SCRIPT : undefined
}

function nameEntry(file: PdfFile, dict: PdfDict, key: string): string | undefined {
  const value = dict.entries.get(key)
  if (value === undefined) return undefined
  const resolved = file.resolve(value)
  return resolved.kind === 'name' ? resolved.name : undefined
}
