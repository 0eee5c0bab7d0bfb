// Reads a private key that is stored encrypted.
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { keyAad } from './key-aad.ts'
import type { WantedVersion } from './worker-store.ts'

/** PEM, or undefined when it was altered, or written with another installation key. */
export function decryptKey(
  keys: Pick<InstallationKeys, 'open'>,
  { keyId, version, box }: Pick<WantedVersion, 'keyId' | 'version' | 'box'>,
): string | undefined {
  if (!box) throw new Error('The version has no stored key.')
  try {
    return keys.open(box, keyAad(keyId, version))
  } catch {
    return undefined
  }
}
