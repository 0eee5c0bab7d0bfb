// The self-made key of an installation.
import type { SigningKey } from '#core/pades/signing-key.ts'

/** A new key under a root of its own. Its library is loaded here, because most processes make none. */
export async function makeKey(now: Date): Promise<SigningKey> {
  const { newSelfMadeKey } = await import('#core/pades/self-made-key.ts')
  return newSelfMadeKey({ commonName: 'Sealwright self-made seal', organisation: 'Sealwright', now })
}
