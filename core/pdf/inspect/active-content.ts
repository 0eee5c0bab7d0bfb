// What a document may not do by itself or in a signer's viewer: run scripts, start programs, send or fetch data, play media. What
// a reader has to click (links, also to other files) and mere attachments are left alone. ISO 32000-2, 12.6.
import { PdfError } from '../pdf-fault.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { type PdfDict, type PdfValue, rawOf } from '../read/value.ts'

const SCRIPT = 'scripts'
const MEDIA = 'media that plays in the viewer'
const OUTSIDE = 'content that is loaded from outside the file'

/** Actions that are refused wherever they stand. A Rendition action plays media and can carry a script. */
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

/** Actions that open something outside of the document: a link to click, unless the viewer carries them out by itself. */
const OPENING_ACTIONS = new Set(['URI', 'GoToR', 'GoToE', 'Thread'])

const REFUSED_ANNOTATIONS = new Set(['RichMedia', 'Movie', 'Sound'])

/** Actions that one event sets off (/Next); more are refused. */
const MAX_ACTIONS = 100

/** Any of the refused names, written out, in the raw text of a dictionary. */
const REFUSED_NAME = new RegExp(`/(?:JS|OnInstantiate|RichMedia|${[...REFUSED_ACTIONS.keys()].join('|')})(?![^\\s()<>[\\]{}/%])`)

/** Throws DOCUMENT_ACTIVE_CONTENT when this dictionary is, or sets off, something that is refused. */
export function refuseActiveContent(file: PdfFile, dict: PdfDict, ofStream: boolean): void {
  const found =
    ofAction(file, dict) ??
    ofAnnotation(file, dict) ??
    ofEvents(file, dict) ??
    ofOutside(file, dict, ofStream) ??
    ofAmbiguity(dict)
  if (found === undefined) return
  throw new PdfError('DOCUMENT_ACTIVE_CONTENT', `The document contains ${found}. Print it to a plain PDF and upload that.`)
}

function ofAction(file: PdfFile, dict: PdfDict): string | undefined {
  const script = file.resolve(dict.entries.get('JS') ?? dict.entries.get('OnInstantiate'))
  if (script.kind === 'string' || script.kind === 'stream') return SCRIPT
  return REFUSED_ACTIONS.get(nameEntry(file, dict, 'S') ?? '')
}

function ofAnnotation(file: PdfFile, dict: PdfDict): string | undefined {
  return REFUSED_ANNOTATIONS.has(nameEntry(file, dict, 'Subtype') ?? '') ? MEDIA : undefined
}

/** The document's /OpenAction and the events of /AA happen without a click that means them. */
function ofEvents(file: PdfFile, dict: PdfDict): string | undefined {
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

/** A stream whose data is another file (/F, ISO 32000-2, 7.3.8.2), a form that stands for a page of one (/Ref, 8.10.4). */
function ofOutside(file: PdfFile, dict: PdfDict, ofStream: boolean): string | undefined {
  if (!ofStream) return undefined
  const { kind } = file.resolve(dict.entries.get('F'))
  // Some writers shorten /Filter to /F; a file is named by a string or a dictionary.
  const external = kind === 'string' || kind === 'dict'
  return external || file.resolve(dict.entries.get('Ref')).kind === 'dict' ? OUTSIDE : undefined
}

/** Where an entry is written twice, viewers differ in which one counts, so each one counts. */
function ofAmbiguity(dict: PdfDict): string | undefined {
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
