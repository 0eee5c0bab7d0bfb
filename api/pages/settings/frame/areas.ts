// The entries of the menu and their visibility.
import { ALL_ENVELOPES, type Place } from '../routing/place.ts'

export interface MenuEntry {
  place: Place
  name:
    | 'overview'
    | 'envelopes'
    | 'credentials'
    | 'webhooks'
    | 'workspaces'
    | 'people'
    | 'organisation'
    | 'activity'
    | 'signing-keys'
  isForAdmins: boolean
  /** The kinds of place that belong to the entry. */
  holds: readonly Place['area'][]
}

const ENTRIES: readonly MenuEntry[] = [
  { name: 'overview', place: { area: 'overview' }, isForAdmins: false, holds: ['overview'] },
  { name: 'envelopes', place: { area: 'envelopes', query: ALL_ENVELOPES }, isForAdmins: false, holds: ['envelopes', 'envelope'] },
  {
    name: 'credentials',
    place: { area: 'credentials' },
    isForAdmins: true,
    holds: ['credentials', 'credential', 'new-credential'],
  },
  {
    name: 'webhooks',
    place: { area: 'webhooks' },
    isForAdmins: true,
    holds: ['webhooks', 'webhook', 'new-webhook', 'deliveries', 'delivery'],
  },
  { name: 'workspaces', place: { area: 'workspaces' }, isForAdmins: false, holds: ['workspaces', 'workspace'] },
  { name: 'people', place: { area: 'people' }, isForAdmins: true, holds: ['people'] },
  { name: 'organisation', place: { area: 'organisation' }, isForAdmins: true, holds: ['organisation'] },
  { name: 'activity', place: { area: 'activity', page: 0 }, isForAdmins: true, holds: ['activity'] },
  { name: 'signing-keys', place: { area: 'signing-keys' }, isForAdmins: false, holds: ['signing-keys'] },
]

/** The menu for an admin or a member. */
export function menuFor(isAdmin: boolean): readonly MenuEntry[] {
  return ENTRIES.filter((entry) => isAdmin || !entry.isForAdmins)
}

/** Whether a person may see this place; a member who follows an admin's link gets "page not found". */
export function mayVisit(area: Place['area'], isAdmin: boolean): boolean {
  if (area === 'account') return true
  // Members go from a workspace directly to its envelopes.
  if (area === 'workspace') return isAdmin
  return menuFor(isAdmin).some((entry) => entry.holds.includes(area))
}
