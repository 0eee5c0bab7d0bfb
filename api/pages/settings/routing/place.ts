// The places (routes) of the panel and their URLs. A URL contains what is shown and nothing secret. Pure.

/** The filter of the envelope list; `page` counts from 0. */
export interface EnvelopeListQuery {
  title: string
  status: string
  workspaceId: string
  page: number
}

/** The filter of a webhook's delivery history; `page` counts from 0. */
export interface DeliveryListQuery {
  status: string
  eventType: string
  page: number
}

export type Place =
  | { area: 'overview' }
  | { area: 'envelopes'; query: EnvelopeListQuery }
  | { area: 'envelope'; id: string }
  | { area: 'credentials' }
  | { area: 'new-credential' }
  | { area: 'credential'; id: string }
  | { area: 'webhooks' }
  | { area: 'new-webhook' }
  | { area: 'webhook'; id: string }
  | { area: 'deliveries'; webhookId: string; filter: DeliveryListQuery }
  | { area: 'delivery'; webhookId: string; deliveryId: string }
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
export const ALL_DELIVERIES: DeliveryListQuery = { status: '', eventType: '', page: 0 }

const PLAIN_AREAS = [
  { area: 'credentials' },
  { area: 'webhooks' },
  { area: 'workspaces' },
  { area: 'people' },
  { area: 'organisation' },
  { area: 'account' },
  { area: 'signing-keys' },
] as const

/** The place at a URL. */
export function placeOf({ pathname, search }: { pathname: string; search: string }): Place {
  const [area = '', id, ...rest] = pathname
    .slice(ROOT.length + 1)
    .replace(/\/$/, '')
    .split('/')
  if (id === undefined) return placeOfArea(area, new URLSearchParams(search))
  if (rest.length > 0) return area === 'webhooks' ? placeOfHistory(id, rest, new URLSearchParams(search)) : { area: 'unknown' }
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
    default:
      return PLAIN_AREAS.find((place) => place.area === area) ?? { area: 'unknown' }
  }
}

function placeOfRecord(area: string, id: string): Place {
  if (area === 'credentials' && id === 'new') return { area: 'new-credential' }
  if (area === 'envelopes') return { area: 'envelope', id }
  if (area === 'credentials') return { area: 'credential', id }
  if (area === 'webhooks') return id === 'new' ? { area: 'new-webhook' } : { area: 'webhook', id }
  if (area === 'workspaces') return { area: 'workspace', id }
  return { area: 'unknown' }
}

function placeOfHistory(webhookId: string, [part, deliveryId, ...rest]: readonly string[], search: URLSearchParams): Place {
  if (part !== 'deliveries' || rest.length > 0) return { area: 'unknown' }
  if (deliveryId !== undefined) return { area: 'delivery', webhookId, deliveryId }
  const filter = { status: search.get('status') ?? '', eventType: search.get('type') ?? '', page: readPage(search) }
  return { area: 'deliveries', webhookId, filter }
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
  webhooks: '/webhooks',
  'new-webhook': '/webhooks/new',
  webhook: '/webhooks/',
  deliveries: '/webhooks/',
  delivery: '/webhooks/',
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
  if (place.area === 'deliveries') return `${path}${place.webhookId}/deliveries${historySearch(place.filter)}`
  if (place.area === 'delivery') return `${path}${place.webhookId}/deliveries/${place.deliveryId}`
  return 'page' in place && place.page > 0 ? `${path}?page=${place.page + 1}` : path
}

function listSearch({ title, status, workspaceId, page }: EnvelopeListQuery): string {
  return searchOf({ title, status, workspace: workspaceId }, page)
}

function historySearch({ status, eventType, page }: DeliveryListQuery): string {
  return searchOf({ status, type: eventType }, page)
}

/** Empty fields and the first page are left out. */
function searchOf(fields: Readonly<Record<string, string>>, page: number): string {
  const search = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
  if (page > 0) search.set('page', String(page + 1))
  return search.size > 0 ? `?${search}` : ''
}
