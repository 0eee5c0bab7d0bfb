// A resource of the panel's API: loading, ready or failed.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../http/failure.ts'
import { useSessionStore } from '../session/session-context.ts'
import { type RecordCache, useRecordCache } from './record-cache.ts'

export type Loaded<Value> =
  | { phase: 'loading' }
  | { phase: 'failed'; failure: Failure }
  /** While `isRefreshing`, the value is the previous one, perhaps of the previous path. */
  | { phase: 'ready'; value: Value; isRefreshing: boolean }

export interface Resource<Value> {
  loaded: Loaded<Value>
  /** Reads it again; the current value stays on screen until then. */
  reload: () => Promise<void>
  /** Reads it again without showing that; a failure changes nothing. For polling. */
  refresh: () => Promise<void>
  /** Shows the response of a change without reading again. */
  put: (value: Value) => void
}

export interface ResourceOptions {
  /** False for responses with a secret, such as a download URL: they are discarded with the component. */
  isKept: boolean
}

/** Reads `path`, and again whenever it changes; of several pending responses only the newest counts. */
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

  const refresh = useCallback(async () => {
    const run = newest.current
    const outcome = await store.call<Value>({ method: 'GET', path })
    if (run !== newest.current || !outcome.ok) return
    if (isKept) cache.set(path, JSON.stringify(outcome.value))
    setLoaded({ phase: 'ready', value: outcome.value, isRefreshing: false })
  }, [store, cache, path, isKept])

  const put = useCallback(
    (value: Value) => {
      newest.current++
      cache.set(path, JSON.stringify(value))
      setLoaded({ phase: 'ready', value, isRefreshing: false })
    },
    [cache, path],
  )
  return { loaded, reload, refresh, put }
}

function refreshing<Value>(before: Loaded<Value>, cache: RecordCache, path: string): Loaded<Value> {
  const kept = cache.get(path)
  if (kept !== undefined) return { phase: 'ready', value: JSON.parse(kept), isRefreshing: true }
  return before.phase === 'ready' ? { ...before, isRefreshing: true } : { phase: 'loading' }
}
