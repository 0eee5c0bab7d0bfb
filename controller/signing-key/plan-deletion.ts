// The end of an object managed in Kubernetes: its key is retired, then its Secrets are deleted, then the object may go. Pure.
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { Identity } from '../resource/identity.ts'
import type { Effect, Plan } from './effect.ts'
import { SIGNING_KEY_FINALIZER, type SigningKeyObject } from './resource.ts'
import type { Snapshot } from './snapshot.ts'
import { ownsMaterial, unusedMaterial } from './unused-material.ts'

/** The finalizer goes last, so that a crash before it repeats the deletion. */
export function planDeletion(
  { isKindDeleted }: Snapshot,
  object: SigningKeyObject,
  { uid, resourceVersion, finalizers }: Identity,
  row: SigningKeyView | undefined,
): Plan {
  if (!finalizers.includes(SIGNING_KEY_FINALIZER)) return { effects: [] }
  const release: Effect = { do: 'release-finalizer', resourceVersion }
  if (!row) return { effects: [release] }
  // The removal of the definition deletes all its objects; their owners did not ask for that.
  if (isKindDeleted) return { effects: row.orphanedAt ? [release] : [{ do: 'mark-orphaned', uids: [uid] }, release] }
  if (row.state !== 'RETIRED') return { effects: [{ do: 'retire-row' }] }
  return planCleanUp(row) ?? { effects: [...abandoned(object, row), { do: 'delete-row', uid }, release] }
}

/** Undefined when nothing of the key is left. */
function planCleanUp(row: SigningKeyView): Plan | undefined {
  if (!ownsMaterial(row)) return undefined
  const unused = unusedMaterial(row)
  if (unused.length > 0) return { effects: unused }
  return row.versions.some(({ material }) => material !== null) ? { effects: [], awaitsRelease: true } : undefined
}

/** cert-manager may be issuing a version that was never announced. */
function abandoned({ spec }: SigningKeyObject, { versions }: SigningKeyView): Effect[] {
  return spec.provider.certManager ? [{ do: 'delete-certificate', version: (versions[0]?.version ?? 0) + 1 }] : []
}
