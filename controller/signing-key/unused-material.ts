// The Secrets that this service made for versions that nothing uses any more. Pure.
import type { KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { Effect } from './effect.ts'

/** Whether the Secrets of the key are ours to delete: that of a PKCS#12 file is its user's. */
export function ownsMaterial({ providerType }: SigningKeyView): boolean {
  return providerType === 'SELF_SIGNED' || providerType === 'CERT_MANAGER'
}

/** The deletions that are due. */
export function unusedMaterial(row: SigningKeyView): Extract<Effect, { do: 'delete-material' }>[] {
  if (!ownsMaterial(row)) return []
  return row.versions.filter(({ isReleased }) => isReleased).flatMap(deletionOf)
}

function deletionOf({ version, material }: KeyVersionView): Extract<Effect, { do: 'delete-material' }>[] {
  return material?.kind === 'SECRET' ? [{ do: 'delete-material', version, secret: material.name }] : []
}
