// A new version of a self-signed key.
import type { Core } from '#core/context.ts'
import { writePemKey } from '#core/pades/signing-key.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { addVersion, assertNotRetired } from './add-version.ts'
import { keyAad } from './key-aad.ts'
import { KeyRefusedError } from './key-error.ts'
import { lockOwnKey } from './lock-own-key.ts'
import { makeKey } from './make-key.ts'
import type { KeyRef } from './key-store.ts'
import { toOpenedCertificate } from './opened-certificate.ts'
import { needsMaterial } from './replacing-command.ts'
import { findActiveVersion, findVersionByRequest } from './version-store.ts'

export interface Rotation {
  /** Absent: the installation's own key. */
  id?: string
  /** A repeated request makes no second version. */
  request?: string
  /** Fence of a controller. */
  fence?: Fence
}

/** Announces a new self-signed version, whose private key is stored encrypted. Throws KeyRefusedError for a key that is not self-signed, which needs
 *  `importKey`, and FencedError. */
export async function rotateKey(
  core: Pick<Core, 'database' | 'keys'>,
  { id, request, fence }: Rotation,
): Promise<{ keyId: string; version: number }> {
  const made = await makeKey({ now: await databaseNow(core.database) })
  const announce = async (sql: Sql) => {
    const key = await lockOwnKey(sql, refOf(id))
    const known = request === undefined ? undefined : await findVersionByRequest(sql, key.id, request)
    if (known !== undefined) return { keyId: key.id, version: known }
    assertNotRetired(key)
    await assertSelfSigned(sql, key)
    const version = await addVersion(sql, key, (number) => ({
      selfMade: true,
      request: request ?? null,
      opened: toOpenedCertificate(made),
      material: { kind: 'BOX' },
      box: core.keys.seal(writePemKey(made), keyAad(key.id, number)),
    }))
    return { keyId: key.id, version }
  }
  return fence ? inFencedTransaction(core, fence, announce) : inTransaction(core.database, announce)
}

function refOf(id: string | undefined): KeyRef {
  return id === undefined ? 'installation' : { id }
}

async function assertSelfSigned(sql: Sql, { id, orgId }: { id: string; orgId: string | null }): Promise<void> {
  const active = await findActiveVersion(sql, id)
  if (active?.selfMade === true) return
  throw new KeyRefusedError('NeedsMaterial', needsMaterial(orgId))
}
