// Deletes what no row names any more. Only ever after the commit that took the rows away: a row without its bytes could still be sent, signed and
// never sealed, bytes without a row are an orphan.
import type { Core } from '#core/context.ts'

const AT_ONCE = 20

/** Answers what is gone. Does not throw: what the store keeps for now, the sweep of orphans deletes after a day. */
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
