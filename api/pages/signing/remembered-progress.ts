// What a reload of the tab must not lose and the server does not tell: which documents were opened, and which code was asked for.
// Kept in this tab only (sessionStorage), under the envelope and signer; never the token, a code or the signature.

export interface RememberedChallenge {
  challengeId: string
  expiresAtMs: number
  resendAtMs: number
}

export interface RememberedProgress {
  openedIds: string[]
  /** The code that was asked for and not yet used. */
  challenge?: RememberedChallenge | undefined
}

/** The part of the web's Storage that is needed. */
export interface ProgressStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

interface ProgressOwner {
  envelopeId: string
  signerEmail: string
}

/** What was remembered for this signer; nothing opened when there is none, or when the browser withholds its storage. */
export function recallProgress(storage: ProgressStorage, owner: ProgressOwner): RememberedProgress {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey(owner)) ?? 'null')
    return isProgress(stored) ? stored : { openedIds: [] }
  } catch {
    return { openedIds: [] }
  }
}

/** Remembers a change. A browser that refuses storage only loses the comfort, so that is not an error. */
export function rememberProgress(storage: ProgressStorage, owner: ProgressOwner, change: Partial<RememberedProgress>): void {
  const progress = { ...recallProgress(storage, owner), ...change }
  try {
    storage.setItem(storageKey(owner), JSON.stringify(progress))
  } catch {
    // NOTE: storage is full or switched off (private windows of some browsers).
  }
}

function storageKey(owner: ProgressOwner): string {
  return `sealwright.ceremony.${owner.envelopeId}.${owner.signerEmail}`
}

function isProgress(value: unknown): value is RememberedProgress {
  return typeof value === 'object' && value !== null && 'openedIds' in value && Array.isArray(value.openedIds)
}
