// The ES256 keys of access tokens. A new key is published for ten minutes before it signs, so that every replica and external verifier knows it by
// then; it signs for 30 days and stays published for another 30, so that tokens outlive a rotation.
import { createLocalJWKSet, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'
import { randomUUID } from 'node:crypto'
import { deleteTokenKeysOlderThan, insertTokenKey, listTokenKeys, lockTokenKeys, type TokenKeyRow } from './store.ts'

const ROTATE_AFTER_SECONDS = 30 * 86_400
const PUBLISH_FOR_SECONDS = 2 * ROTATE_AFTER_SECONDS
const SIGN_AFTER_SECONDS = 600
/** How long a process caches the keys; far less than the time between publishing and signing. */
const FRESH_FOR_MS = 60_000

interface TokenKeys {
  signing: { kid: string; key: CryptoKey | Uint8Array }
  jwks: JWK[]
  /** Finds the public key that a token names, for jose. */
  published: JWTVerifyGetKey
  readAt: Date
}

const copies = new WeakMap<Core['database'], Promise<TokenKeys>>()

/** The key that signs now and all public keys that a token may name. Creates and rotates keys when due. */
export async function tokenKeys(core: Pick<Core, 'database' | 'keys'>): Promise<TokenKeys> {
  const [copy, now] = [await copies.get(core.database)?.catch(() => undefined), await currentTime(core.database)]
  if (copy && Math.abs(now.getTime() - copy.readAt.getTime()) < FRESH_FOR_MS) return copy
  const reading = readTokenKeys(core)
  copies.set(core.database, reading)
  return reading
}

async function readTokenKeys(core: Pick<Core, 'database' | 'keys'>): Promise<TokenKeys> {
  const readAt = await currentTime(core.database)
  let rows = await listTokenKeys(core.database)
  if (isRotationDue(rows)) rows = await rotateTokenKeys(core)
  // Newest first. The very first key signs at once: no process has a copy without it.
  const signing = rows.find(({ ageSeconds }) => ageSeconds >= SIGN_AFTER_SECONDS) ?? rows.at(-1)
  if (!signing) throw new Error('No token key could be made.')
  const privateJwk: JWK = JSON.parse(core.keys.open(signing.privateBox, tokenKeyContext(signing.kid)))
  const jwks = rows.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' }))
  return {
    signing: { kid: signing.kid, key: await importJWK(privateJwk, 'ES256') },
    jwks,
    published: createLocalJWKSet({ keys: jwks }),
    readAt,
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
    const privateBox = core.keys.seal(JSON.stringify(await exportJWK(privateKey)), tokenKeyContext(kid))
    await insertTokenKey(sql, { kid, publicJwk: await exportJWK(publicKey), privateBox })
    await deleteTokenKeysOlderThan(sql, PUBLISH_FOR_SECONDS)
    return listTokenKeys(sql)
  })
}

/** Binds an encrypted private key to its row. */
export function tokenKeyContext(kid: string): string {
  return `token key ${kid}`
}
