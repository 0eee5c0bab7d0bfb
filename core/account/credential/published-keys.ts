// The public token keys, as a JWK set.
import type { JWK } from 'jose'
import type { Core } from '#core/context.ts'
import { tokenKeys } from './token-keys.ts'

/** Every key that a valid access token may name. */
export async function publishedKeys(core: Pick<Core, 'database' | 'keys'>): Promise<{ keys: JWK[] }> {
  const { jwks } = await tokenKeys(core)
  return { keys: jwks }
}
