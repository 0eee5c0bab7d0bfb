// The tab's own storage, or none where the browser forbids even to ask for it.
import type { ProgressStorage } from './remembered-progress.ts'

const NO_STORAGE: ProgressStorage = { getItem: () => null, setItem: () => {} }

export function tabStorage(): ProgressStorage {
  try {
    return window.sessionStorage
  } catch {
    return NO_STORAGE
  }
}
