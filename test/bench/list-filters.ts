// What lists among a million envelopes are filtered by: frequent, rare and absent values of every filter, and their combinations.
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import type { WorkspaceId } from '#core/ids.ts'

const ALL: EnvelopeFilter = { statuses: [], labels: { pairs: [], keys: [] } }
const DAY_MS = 86_400_000

/** By name; the first one is the baseline. */
export function filtersOf(workspaceId: WorkspaceId | undefined): Map<string, EnvelopeFilter> {
  const now = Date.now()
  const yearsAgo = (years: number) => new Date(now).getUTCFullYear() - years
  const labelled = (pairs: Record<string, string>, keys: string[]) => ({ ...ALL, labels: { pairs: Object.entries(pairs), keys } })
  return new Map<string, EnvelopeFilter>([
    ['none (baseline)', ALL],
    ['status, frequent', { ...ALL, statuses: ['COMPLETED'] }],
    ['status, rare', { ...ALL, statuses: ['CANCELLED'] }],
    ['status, with lapsed', { ...ALL, statuses: ['EXPIRED'] }],
    ['label pair, frequent', labelled({ department: 'sales' }, [])],
    ['label pair, rare', labelled({ cost_center: 'cc-7' }, [])],
    ['label pair, absent', labelled({ department: 'none' }, [])],
    ['label pair and status', { ...labelled({ department: 'sales' }, []), statuses: ['COMPLETED'] }],
    ['label pair and rare status', { ...labelled({ department: 'sales' }, []), statuses: ['CANCELLED'] }],
    ['bare label, on every one', labelled({}, ['department'])],
    ['bare label, rare', labelled({}, ['urgent'])],
    ['title, frequent', { ...ALL, title: 'Agreement' }],
    ['title, one in fifteen', { ...ALL, title: 'kestrel' }],
    ['title, one in ninety', { ...ALL, title: '-88' }],
    ['title, rare', { ...ALL, title: '-77719' }],
    ['title, absent', { ...ALL, title: 'zeppelin' }],
    ['title, absent, two letters', { ...ALL, title: 'qx' }],
    ['title, one letter', { ...ALL, title: 'z' }],
    ['title, rare, none new', { ...ALL, title: ` ${yearsAgo(2)}-` }],
    ['title, frequent, none new', { ...ALL, title: ` ${yearsAgo(1)}-` }],
    ['title and status', { ...ALL, title: 'kestrel', statuses: ['COMPLETED'] }],
    ['title, frequent, and rare status', { ...ALL, title: 'Agreement', statuses: ['CANCELLED'] }],
    ['title and label', { ...labelled({ department: 'sales' }, []), title: 'kestrel' }],
    ['title, rare, and label', { ...labelled({ department: 'sales' }, []), title: '-77719' }],
    ['one month', { ...ALL, from: new Date(now - 60 * DAY_MS), to: new Date(now - 30 * DAY_MS) }],
    ['one workspace', { ...ALL, workspaceId }],
  ])
}
