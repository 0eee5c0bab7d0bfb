// The tab's session storage, or undefined where the browser forbids access to it.
import type { ProgressStorage } from './remembered-progress.ts'

const NO_STORAGE: ProgressStorage = { getItem: () => null, setItem: () => {} }

export function tabStorage(): ProgressStorage {
  try {
    return window.sessionStorage
  } catch {
    return NO_STORAGE
  }
}
