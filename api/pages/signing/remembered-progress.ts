// What a reload must not lose and the server does not store: which documents were opened, and the requested code's challenge.
// Kept in sessionStorage by envelope and signer; never the token, a code or the signature.

export interface RememberedChallenge {
  challengeId: string
  expiresAtMs: number
  resendAtMs: number
}

/** Numbers of the seen pages, by document id. */
export type SeenPages = Readonly<Record<string, readonly number[]>>

export interface RememberedProgress {
  openedIds: string[]
  seenPages?: SeenPages
  /** The challenge of a code that was requested but not used yet. */
  challenge?: RememberedChallenge | undefined
}

/** The methods of the web's Storage used here. */
export interface ProgressStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

interface ProgressOwner {
  envelopeId: string
  signerEmail: string
}

/** The stored progress of this signer; nothing opened if there is none or storage is not available. */
export function recallProgress(storage: ProgressStorage, owner: ProgressOwner): RememberedProgress {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey(owner)) ?? 'null')
    return isProgress(stored) ? stored : { openedIds: [] }
  } catch {
    return { openedIds: [] }
  }
}

/** Stores a change. Without storage only this convenience is lost, so that is not an error. */
export function rememberProgress(storage: ProgressStorage, owner: ProgressOwner, change: Partial<RememberedProgress>): void {
  const progress = { ...recallProgress(storage, owner), ...change }
  try {
    storage.setItem(storageKey(owner), JSON.stringify(progress))
  } catch {
    // NOTE: storage is full or turned off (private windows of some browsers).
  }
}

function storageKey(owner: ProgressOwner): string {
  return `sealwright.ceremony.${owner.envelopeId}.${owner.signerEmail}`
}

function isProgress(value: unknown): value is RememberedProgress {
  return typeof value === 'object' && value !== null && 'openedIds' in value && Array.isArray(value.openedIds)
}
