// The places (routes) of the panel and their URLs. A URL contains what is shown and nothing secret. Pure.

/** The filter of the envelope list; `page` counts from 0. */
export interface EnvelopeListQuery {
  title: string
  status: string
  workspaceId: string
  page: number
}

export type Place =
  | { area: 'overview' }
  | { area: 'envelopes'; query: EnvelopeListQuery }
  | { area: 'envelope'; id: string }
  | { area: 'credentials' }
  | { area: 'new-credential' }
  | { area: 'credential'; id: string }
  | { area: 'workspaces' }
  | { area: 'workspace'; id: string }
  | { area: 'people' }
  | { area: 'organisation' }
  | { area: 'activity'; page: number }
  | { area: 'account' }
  | { area: 'signing-keys' }
  | { area: 'unknown' }

const ROOT = '/settings'
export const ALL_ENVELOPES: EnvelopeListQuery = { title: '', status: '', workspaceId: '', page: 0 }

/** The place at a URL. */
export function placeOf({ pathname, search }: { pathname: string; search: string }): Place {
  const [area = '', id, ...rest] = pathname
    .slice(ROOT.length + 1)
    .replace(/\/$/, '')
    .split('/')
  if (rest.length > 0) return { area: 'unknown' }
  if (id === undefined) return placeOfArea(area, new URLSearchParams(search))
  return placeOfRecord(area, id)
}

function placeOfArea(area: string, search: URLSearchParams): Place {
  switch (area) {
    case '':
      return { area: 'overview' }
    case 'envelopes':
      return { area, query: readListQuery(search) }
    case 'activity':
      return { area, page: readPage(search) }
    case 'credentials':
    case 'workspaces':
    case 'people':
    case 'organisation':
    case 'account':
    case 'signing-keys':
      return { area }
    default:
      return { area: 'unknown' }
  }
}

function placeOfRecord(area: string, id: string): Place {
  if (area === 'credentials' && id === 'new') return { area: 'new-credential' }
  if (area === 'envelopes') return { area: 'envelope', id }
  if (area === 'credentials') return { area: 'credential', id }
  if (area === 'workspaces') return { area: 'workspace', id }
  return { area: 'unknown' }
}

function readListQuery(search: URLSearchParams): EnvelopeListQuery {
  return {
    title: search.get('title') ?? '',
    status: search.get('status') ?? '',
    workspaceId: search.get('workspace') ?? '',
    page: readPage(search),
  }
}

/** URLs count pages from 1. */
function readPage(search: URLSearchParams): number {
  const page = search.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) - 1 : 0
}

const PATHS: Record<Place['area'], string> = {
  overview: '',
  envelopes: '/envelopes',
  envelope: '/envelopes/',
  credentials: '/credentials',
  'new-credential': '/credentials/new',
  credential: '/credentials/',
  workspaces: '/workspaces',
  workspace: '/workspaces/',
  people: '/people',
  organisation: '/organisation',
  account: '/account',
  activity: '/activity',
  'signing-keys': '/signing-keys',
  unknown: '',
}

/** The URL of a place. */
export function addressOf(place: Place): string {
  const path = ROOT + PATHS[place.area]
  if ('id' in place) return path + place.id
  if ('query' in place) return path + listSearch(place.query)
  return 'page' in place && place.page > 0 ? `${path}?page=${place.page + 1}` : path
}

function listSearch({ title, status, workspaceId, page }: EnvelopeListQuery): string {
  const search = new URLSearchParams()
  if (title) search.set('title', title)
  if (status) search.set('status', status)
  if (workspaceId) search.set('workspace', workspaceId)
  if (page > 0) search.set('page', String(page + 1))
  return search.size > 0 ? `?${search}` : ''
}
