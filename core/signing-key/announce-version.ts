// The first phase of a rotation: a new version is announced, and every worker loads it.
import type { StorelessCore } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { addVersion } from './add-version.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { KeyRefusedError } from './key-error.ts'
import { lockKey } from './key-store.ts'
import { toMaterial } from './key-view.ts'
import type { KeyMaterial } from './signing-key.ts'
import { findNewestVersion, findVersionByRequest } from './version-store.ts'

export interface Announcement {
  keyId: string
  /** A Secret: other material comes from `importKey` and `rotateKey`. */
  material: KeyMaterial & { kind: 'SECRET' }
  /** The request of the rotation. Absent: announced only if the newest version has other material. */
  request?: string
}

/** Announces a version, and returns its number. A repeated announcement returns the number of the first. A version that was announced before and is not active
 *  yet is retired. Throws KeyRefusedError for a key that is retired or does not exist, and FencedError. */
export async function announceVersion(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  { keyId, material, request }: Announcement,
): Promise<{ version: number }> {
  return inFencedTransaction(core, fence, async (sql) => {
    const key = await lockKey(sql, { id: keyId })
    if (!key) throw new KeyRefusedError('NotFound', `There is no signing key ${keyId}.`)
    const announced = await findAnnounced(sql, keyId, material, request)
    if (announced !== undefined) return { version: announced }
    const selfMade = key.providerType === 'SELF_SIGNED'
    return { version: await addVersion(sql, key, () => ({ selfMade, request: request ?? null, material })) }
  })
}

async function findAnnounced(
  sql: Sql,
  keyId: string,
  material: KeyMaterial,
  request: string | undefined,
): Promise<number | undefined> {
  const newest = await findNewestVersion(sql, keyId)
  // Faulty material was replaced before the request was carried out: the next version carries it out.
  const isReplaced = newest !== undefined && newest.activatedAt === null && !isSame(toMaterial(newest), material)
  if (request !== undefined && !(isReplaced && newest.request === request)) return findVersionByRequest(sql, keyId, request)
  return newest && isSame(toMaterial(newest), material) ? newest.version : undefined
}

function isSame(left: KeyMaterial | null, right: KeyMaterial): boolean {
  if (left?.kind !== 'SECRET' || right.kind !== 'SECRET') return false
  return (['namespace', 'name', 'key', 'passwordKey'] as const).every((part) => left[part] === right[part])
}
