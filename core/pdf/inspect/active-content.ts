// Refuses active content: scripts, launching programs, sending or fetching data, media, and parts that do not look the same everywhere.
// Links that a reader clicks and plain attachments are allowed. ISO 32000-2, 12.6.
import { formatScriptObjects, isFormatAction } from '../plan/format-scripts.ts'
import { PdfError } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isNull, type PdfDict, rawOf } from '../read/value.ts'
import { nameEntry } from './entries.ts'
import type { DictionaryVisitor } from './live-objects.ts'
import { findOpeningEvent } from './opening-events.ts'
import { findUnsteadyLayer, readUnsteadyLayers } from './optional-content.ts'

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

/** Annotations, and 3D models, which are streams. */
const REFUSED_SUBTYPES = new Map([
  ...['RichMedia', 'Movie', 'Sound'].map((subtype): [string, string] => [subtype, MEDIA]),
  ...['3D', 'U3D', 'PRC'].map((subtype): [string, string] => [subtype, '3D content']),
])

/** Any refused name, written out, in the raw text of a dictionary. */
// oxlint-disable-next-line sealwright/linear-expressions -- it repeats nothing
const REFUSED_NAME = new RegExp(`/(?:JS|OnInstantiate|RichMedia|${[...REFUSED_ACTIONS.keys()].join('|')})(?![^\\s()<>[\\]{}/%])`)

/**
 * The check of every dictionary of the document. It throws DOCUMENT_ACTIVE_CONTENT for a dictionary that is, triggers or uses refused
 * content. Throws the same for a portfolio.
 */
export function openContentCheck(file: PdfFile): DictionaryVisitor {
  if (!isNull(file.resolve(file.catalog().entries.get('Collection')))) throw activeContent('a portfolio of other files')
  const formatScripts = formatScriptObjects(file)
  const layers = readUnsteadyLayers(file)
  return (dict, { num, ofStream }) => {
    const mayFormat = num !== undefined && formatScripts.has(num)
    const found =
      findRefusedAction(file, dict, mayFormat) ??
      REFUSED_SUBTYPES.get(nameEntry(file, dict, 'Subtype') ?? '') ??
      findOpeningEvent(file, dict) ??
      findExternalContent(file, dict, ofStream) ??
      findUnsteadyLayer(file, layers, dict) ??
      findInDuplicateKeys(dict)
    if (found !== undefined) throw activeContent(found)
  }
}

/** A DOCUMENT_ACTIVE_CONTENT error; `found` names the content with its article ("a portfolio of other files"). */
export function activeContent(found: string): PdfError {
  return new PdfError(
    'DOCUMENT_ACTIVE_CONTENT',
    `The document contains ${found}. Open it, print it to a PDF file and upload that file.`,
  )
}

function findRefusedAction(file: PdfFile, dict: PdfDict, mayFormat: boolean): string | undefined {
  const script = file.resolve(dict.entries.get('JS') ?? dict.entries.get('OnInstantiate'))
  const refused = REFUSED_ACTIONS.get(nameEntry(file, dict, 'S') ?? '')
  const found = script.kind === 'string' || script.kind === 'stream' ? SCRIPT : refused
  return found === SCRIPT && mayFormat && isFormatAction(file, dict) ? undefined : found
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
