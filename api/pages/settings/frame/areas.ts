// The entries of the menu, and who sees them.
import { ALL_ENVELOPES, type Place } from '../routing/place.ts'

export interface MenuEntry {
  place: Place
  name: 'overview' | 'envelopes' | 'credentials' | 'workspaces' | 'people' | 'organisation' | 'activity' | 'signing-keys'
  isForAdmins: boolean
  /** The kinds of place that belong to it. */
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
  { name: 'workspaces', place: { area: 'workspaces' }, isForAdmins: false, holds: ['workspaces', 'workspace'] },
  { name: 'people', place: { area: 'people' }, isForAdmins: true, holds: ['people'] },
  { name: 'organisation', place: { area: 'organisation' }, isForAdmins: true, holds: ['organisation'] },
  { name: 'activity', place: { area: 'activity', page: 0 }, isForAdmins: true, holds: ['activity'] },
  { name: 'signing-keys', place: { area: 'signing-keys' }, isForAdmins: false, holds: ['signing-keys'] },
]

/** The menu of somebody who is an admin or is not. */
export function menuFor(isAdmin: boolean): readonly MenuEntry[] {
  return ENTRIES.filter((entry) => isAdmin || !entry.isForAdmins)
}

/** Whether there is anything at this place for somebody; a member who follows an admin's link is told so. */
export function mayVisit(area: Place['area'], isAdmin: boolean): boolean {
  if (area === 'account') return true
  // Members go from a workspace straight to its envelopes.
  if (area === 'workspace') return isAdmin
  return menuFor(isAdmin).some((entry) => entry.holds.includes(area))
}
