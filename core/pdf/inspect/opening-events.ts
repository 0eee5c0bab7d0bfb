// Actions that run without a click: /OpenAction of the document and the events in /AA. They must not open anything outside the document or
// change what it shows (ISO 32000-2, 12.6.3).
import type { PdfFile } from '../read/pdf-file.ts'
import { isNull, type PdfDict, type PdfValue } from '../read/value.ts'
import { nameEntry } from './entries.ts'

const OPENS_OUTSIDE = 'an action that opens something outside of it without being asked'
const CHANGES_VIEW = 'an action that changes what it shows without being asked'

/** A link with one of them is allowed. */
const REFUSED_EVENTS = new Map([
  ...['URI', 'GoToR', 'GoToE', 'Thread'].map((action): [string, string] => [action, OPENS_OUTSIDE]),
  ...['SetOCGState', 'Hide', 'ResetForm', 'GoTo3DView'].map((action): [string, string] => [action, CHANGES_VIEW]),
])

/** Actions that one event may chain (/Next); more are refused. */
const MAX_ACTIONS = 100

/** What an event of this dictionary does that is refused; undefined when it does no such thing. */
export function findOpeningEvent(file: PdfFile, dict: PdfDict): string | undefined {
  const events = file.resolve(dict.entries.get('AA'))
  const actions = events.kind === 'dict' ? [...events.entries.values()] : []
  const openAction = dict.entries.get('OpenAction')
  if (openAction !== undefined) {
    if (runsScript(file, openAction)) return 'scripts'
    actions.push(openAction)
  }
  for (const action of actions) {
    const found = findInChain(file, action)
    if (found !== undefined) return found
  }
  return undefined
}

/** A format script is allowed as an event of a field, not here. */
function runsScript(file: PdfFile, value: PdfValue): boolean {
  const action = file.resolve(value)
  return action.kind === 'dict' && !isNull(file.resolve(action.entries.get('JS')))
}

function findInChain(file: PdfFile, first: PdfValue): string | undefined {
  const waiting = [first]
  for (let seen = 0; seen < waiting.length; seen++) {
    if (seen >= MAX_ACTIONS) return OPENS_OUTSIDE
    const action = file.resolve(waiting[seen])
    if (action.kind !== 'dict') continue
    const found = REFUSED_EVENTS.get(nameEntry(file, action, 'S') ?? '')
    if (found !== undefined) return found
    const next = file.resolve(action.entries.get('Next'))
    if (next.kind === 'dict') waiting.push(next)
    if (next.kind === 'array') waiting.push(...next.items.slice(0, MAX_ACTIONS))
  }
  return undefined
}
