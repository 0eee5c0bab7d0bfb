// Deletes objects that no row names. Only after the commit that deleted the rows: a row without its bytes could still be sent and signed but never
// sealed, while bytes without a row are only an orphan.
import type { Core } from '#core/context.ts'

const AT_ONCE = 20

/** Returns the deleted keys. Does not throw: the sweep of orphans deletes the others after a day. */
export async function discardObjects(
  { storage, log }: Pick<Core, 'storage' | 'log'>,
  keys: readonly string[],
): Promise<string[]> {
  const gone: string[] = []
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const discard = async (key: string) => {
      try {
        await storage.delete(key)
        gone.push(key)
      } catch (err) {
        log.warn({ err, key }, 'object.delete_failed')
      }
    }
    await Promise.all(keys.slice(start, start + AT_ONCE).map(discard))
  }
  return gone
}
