// The last response per path, so that a place visited before is shown at once and then refreshed. It lives as long as one person's
// session. It contains no secrets, because secrets are only in responses to changes.
import { createContext, use } from 'react'

/** Records by path as JSON, so that no component can change another's data. */
export type RecordCache = Map<string, string>

const RecordCacheContext = createContext<RecordCache | undefined>(undefined)

export const RecordCacheProvider = RecordCacheContext.Provider

/** The cache; throws outside of a provider. */
export function useRecordCache(): RecordCache {
  const cache = use(RecordCacheContext)
  if (!cache) throw new Error('there is no record cache above this component')
  return cache
}
