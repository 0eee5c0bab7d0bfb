// Something read from the panel's interface: loading, there, or not to be had.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../http/failure.ts'
import { useSessionStore } from '../session/session-context.ts'
import { type RecordCache, useRecordCache } from './record-cache.ts'

export type Loaded<Value> =
  | { phase: 'loading' }
  | { phase: 'failed'; failure: Failure }
  /** While `isRefreshing`, the value is the one read before, perhaps of the path before. */
  | { phase: 'ready'; value: Value; isRefreshing: boolean }

export interface Resource<Value> {
  loaded: Loaded<Value>
  /** Reads it again; what is on screen stays until then. */
  reload: () => Promise<void>
  /** Shows what a change has answered, without reading again. */
  put: (value: Value) => void
}

export interface ResourceOptions {
  /** False for answers that hold a secret, such as a download address: they are gone with the component that reads them. */
  isKept: boolean
}

/** Reads `path` and reads again whenever it changes; of several answers under way only the newest counts. */
export function useResource<Value>(path: string, { isKept }: ResourceOptions = { isKept: true }): Resource<Value> {
  const store = useSessionStore()
  const cache = useRecordCache()
  const [loaded, setLoaded] = useState<Loaded<Value>>({ phase: 'loading' })
  const newest = useRef(0)

  const reload = useCallback(async () => {
    const run = ++newest.current
    setLoaded((before) => refreshing(before, cache, path))
    const outcome = await store.call<Value>({ method: 'GET', path })
    if (run !== newest.current) return
    if (outcome.ok && isKept) cache.set(path, JSON.stringify(outcome.value))
    setLoaded(
      outcome.ok ? { phase: 'ready', value: outcome.value, isRefreshing: false } : { phase: 'failed', failure: outcome.failure },
    )
  }, [store, cache, path, isKept])

  useEffect(() => {
    void reload()
    return () => void newest.current++
  }, [reload])

  const put = useCallback(
    (value: Value) => {
      newest.current++
      cache.set(path, JSON.stringify(value))
      setLoaded({ phase: 'ready', value, isRefreshing: false })
    },
    [cache, path],
  )
  return { loaded, reload, put }
}

function refreshing<Value>(before: Loaded<Value>, cache: RecordCache, path: string): Loaded<Value> {
  const kept = cache.get(path)
  if (kept !== undefined) return { phase: 'ready', value: JSON.parse(kept), isRefreshing: true }
  return before.phase === 'ready' ? { ...before, isRefreshing: true } : { phase: 'loading' }
}
