// The filter above the list. Input takes effect after a pause and updates the URL, so that a filtered list can be shared.
import { useEffect, useRef, useState } from 'react'
import { ENVELOPE_STATUSES, type Workspace } from '../data/records.ts'
import { useResource } from '../data/use-resource.ts'
import { SelectInput } from '../forms/select-input.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import type { EnvelopeListQuery } from '../routing/place.ts'
import { goTo } from '../routing/use-place.ts'

const PAUSE_MS = 300
const STATUS_OPTIONS = [
  ['', texts.envelopes.allStatuses] as const,
  ...ENVELOPE_STATUSES.map((status) => [status, texts.envelopes.statuses[status]] as const),
]

export function EnvelopeFilter({ query }: { query: EnvelopeListQuery }) {
  const [title, setTitle] = useTypedTitle(query)
  return (
    <search className="filter">
      <TextInput label={texts.envelopes.search} type="search" value={title} onChange={setTitle} />
      <SelectInput
        label={texts.envelopes.status}
        value={STATUS_OPTIONS.find(([key]) => key === query.status)?.[0] ?? ''}
        options={STATUS_OPTIONS}
        onChange={(status) => goTo({ area: 'envelopes', query: { ...query, status, page: 0 } }, 'replace')}
      />
      <WorkspaceFilter query={query} />
    </search>
  )
}

/** Shown only if there is more than one workspace; the list works without it. */
function WorkspaceFilter({ query }: { query: EnvelopeListQuery }) {
  const { loaded } = useResource<Workspace[]>('/workspaces')
  const workspaces = loaded.phase === 'ready' ? loaded.value : []
  if (workspaces.length < 2) return null
  const options = workspaces.map(({ id, name }) => [id, name] as const)
  return (
    <SelectInput
      label={texts.envelopes.facts.workspace}
      value={workspaces.some(({ id }) => id === query.workspaceId) ? query.workspaceId : ''}
      options={[['', texts.envelopes.allWorkspaces], ...options]}
      onChange={(workspaceId) => goTo({ area: 'envelopes', query: { ...query, workspaceId, page: 0 } }, 'replace')}
    />
  )
}

// The field is ahead of the URL during typing, and follows it when the filter is cleared elsewhere.
function useTypedTitle(query: EnvelopeListQuery): [string, (title: string) => void] {
  const [typed, setTyped] = useState(query.title)
  const requested = useRef(query.title)
  useEffect(() => {
    if (query.title === requested.current) return
    requested.current = query.title
    setTyped(query.title)
  }, [query.title])
  useEffect(() => {
    const title = typed.trim()
    if (title === requested.current) return undefined
    const timer = window.setTimeout(() => {
      requested.current = title
      goTo({ area: 'envelopes', query: { ...query, title, page: 0 } }, 'replace')
    }, PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [typed, query])
  return [typed, setTyped]
}
