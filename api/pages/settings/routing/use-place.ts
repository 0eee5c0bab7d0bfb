// The browser's address as state. Going somewhere changes the address without loading the page anew.
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

/** What the address shows now. */
export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  return placeOf(new URL(address, window.location.origin))
}

/** Shows another place. `replace` leaves no step in the history: for filters, and for records that are gone. */
export function goTo(place: Place, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(place)
  if (how === 'push') window.history.pushState(null, '', address)
  else window.history.replaceState(null, '', address)
  for (const listener of listeners) listener()
}
