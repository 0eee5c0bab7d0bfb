// The browser's URL as state. Navigation changes the URL without reloading the page.
import { useSyncExternalStore } from 'react'
import { addressOf, type Place, placeOf } from './place.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** The place at the current URL. */
export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  return placeOf(new URL(address, window.location.origin))
}

/** Navigates. `replace` adds no history entry: for filters and for deleted records. */
export function goTo(place: Place, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(place)
  if (how === 'push') window.history.pushState(null, '', address)
  else window.history.replaceState(null, '', address)
  for (const listener of listeners) listener()
}
