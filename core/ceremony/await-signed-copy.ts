// The last signer's call waits a little for the sealed copies, so that most signers leave with their copy in hand.
import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '#core/context.ts'
import { SEAL_WAIT_MS } from '#core/limits.ts'
import { getSignedCopy, type SignedCopy } from './get-signed-copy.ts'

const FIRST_LOOK_MS = 20

/** The copies when they are sealed within three seconds, otherwise none; sealing goes on either way. */
export async function awaitSignedCopy(core: Core, token: string): Promise<SignedCopy['documents']> {
  const deadline = performance.now() + SEAL_WAIT_MS
  for (let wait = FIRST_LOOK_MS; performance.now() < deadline; wait = Math.min(wait * 1.5, 250)) {
    await delay(wait)
    const { signedDocumentsReady, documents } = await getSignedCopy(core, token)
    if (signedDocumentsReady) return documents
  }
  return []
}
