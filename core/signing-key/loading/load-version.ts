// Loads one version: finds its private key, opens and tries it on the key thread, and checks that it is still the key that the version was opened with.
import type { StorelessCore } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { addVersion } from '../add-version.ts'
import { lockKey } from '../key-store.ts'
import { toMaterial } from '../key-view.ts'
import type { LoadFailure } from '../rules.ts'
import { findNewestVersion, recordOpened } from '../version-store.ts'
import type { WantedVersion } from '../worker-store.ts'
import { findMaterial, type MaterialPlaces, storedKeyAltered } from './find-material.ts'
import type { KeyOpener } from './key-opener.ts'
import type { OpenedKey } from './key-task.ts'

export type Loaded = { ok: true; key: OpenedKey } | { ok: false; reason: LoadFailure; message: string }

/** The key, or why this process cannot use it. Records the certificate of a version that no process has opened before. */
export async function loadVersion(
  { database, places, opener }: Pick<StorelessCore, 'database'> & { places: MaterialPlaces; opener: KeyOpener },
  wanted: WantedVersion,
): Promise<Loaded> {
  const found = await findMaterial(places, wanted)
  if (found.kind === 'failed') return { ok: false, reason: found.reason, message: found.message }
  const loaded: Loaded =
    found.kind === 'opened' ? { ok: true, key: found.key } : await opener.open(found.key, await databaseNow(database))
  if (!loaded.ok) return loaded
  const { keyId, version } = wanted
  const counts = wanted.fingerprint ?? (await recordOpened(database, { keyId, version, opened: loaded.key.certificate }))
  if (counts === loaded.key.certificate.fingerprint) return loaded
  if (wanted.kind === 'BOX') return { ok: false, reason: 'MaterialChanged', message: storedKeyAltered(wanted) }
  await announceChange({ database }, wanted, loaded.key)
  return {
    ok: false,
    reason: 'MaterialChanged',
    message: 'The Secret now contains another key, which was announced as the next version.',
  }
}

/** A Secret was changed in place: the key that it contains now becomes the next version, unless there is a newer one. */
async function announceChange(
  { database }: Pick<StorelessCore, 'database'>,
  { keyId, version }: WantedVersion,
  { certificate }: OpenedKey,
): Promise<void> {
  await inTransaction(database, async (sql) => {
    const key = await lockKey(sql, { id: keyId })
    const newest = await findNewestVersion(sql, keyId)
    if (!key || key.state === 'RETIRED' || newest?.version !== version) return
    const { selfMade } = newest
    const request = newest.activatedAt === null ? newest.request : null
    const material = toMaterial(newest)
    if (material) await addVersion(sql, key, () => ({ selfMade, request, opened: certificate, material }))
  })
}
