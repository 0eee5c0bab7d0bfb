// The ES256 keys behind access tokens. A key signs for 30 days and is published for as long again, so that tokens overlap a rotation.
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { randomUUID } from 'node:crypto'
import { deleteTokenKeysOlderThan, insertTokenKey, listTokenKeys, lockTokenKeys, type TokenKeyRow } from './store.ts'

const ROTATE_AFTER_SECONDS = 30 * 86_400
const PUBLISH_FOR_SECONDS = 2 * ROTATE_AFTER_SECONDS
/** How long a process trusts its copy before it looks again: bounds how late a rotation is seen. */
const FRESH_FOR_MS = 60_000

interface TokenKeys {
  signing: { kid: string; key: CryptoKey | Uint8Array }
  published: JWK[]
  readAtMs: number
}

const copies = new WeakMap<Core['database'], Promise<TokenKeys>>()

/** The key that signs now and all public keys that a token may name. Makes and rotates keys as they come due. */
export async function tokenKeys(core: Pick<Core, 'database' | 'keys'>, options: { refresh: boolean }): Promise<TokenKeys> {
  const copy = await copies.get(core.database)?.catch(() => undefined)
  if (copy && !options.refresh && performance.now() - copy.readAtMs < FRESH_FOR_MS) return copy
  const reading = readTokenKeys(core)
  copies.set(core.database, reading)
  return reading
}

async function readTokenKeys(core: Pick<Core, 'database' | 'keys'>): Promise<TokenKeys> {
  let rows = await listTokenKeys(core.database)
  if (isRotationDue(rows)) rows = await rotateTokenKeys(core)
  const [newest] = rows
  if (!newest) throw new Error('No token key could be made.')
  const privateJwk: JWK = JSON.parse(core.keys.open(newest.privateBox, `token key ${newest.kid}`))
  return {
    signing: { kid: newest.kid, key: await importJWK(privateJwk, 'ES256') },
    published: rows.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })),
    readAtMs: performance.now(),
  }
}

function isRotationDue([newest]: TokenKeyRow[]): boolean {
  return newest === undefined || newest.ageSeconds >= ROTATE_AFTER_SECONDS
}

async function rotateTokenKeys(core: Pick<Core, 'database' | 'keys'>): Promise<TokenKeyRow[]> {
  return inTransaction(core.database, async (sql) => {
    await lockTokenKeys(sql)
    const rows = await listTokenKeys(sql)
    if (!isRotationDue(rows)) return rows
    const kid = randomUUID()
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const privateBox = core.keys.seal(JSON.stringify(await exportJWK(privateKey)), `token key ${kid}`)
    await insertTokenKey(sql, { kid, publicJwk: await exportJWK(publicKey), privateBox })
    await deleteTokenKeysOlderThan(sql, PUBLISH_FOR_SECONDS)
    return listTokenKeys(sql)
  })
}
