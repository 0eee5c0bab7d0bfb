// What was read last, so that a place that was there before is on screen at once and only brought up to date. Lives as long as one person's
// work; nothing secret is ever read into it: secrets come as answers to changes.
import { createContext, use } from 'react'

/** Records by the path they were read from, as JSON: nobody can change what others are shown. */
export type RecordCache = Map<string, string>

const RecordCacheContext = createContext<RecordCache | undefined>(undefined)

export const RecordCacheProvider = RecordCacheContext.Provider

/** The cache; throws outside of a provider. */
export function useRecordCache(): RecordCache {
  const cache = use(RecordCacheContext)
  if (!cache) throw new Error('there is no record cache above this component')
  return cache
}
