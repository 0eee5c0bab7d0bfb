// Resolves names with the system's resolver, as the decisions require: hosts file and search list included.
import { lookup } from 'node:dns/promises'
import type { Lookup } from './vet-target.ts'

/** Opens a Lookup. Lookups of the same name at the same time share one call, because a name that is slow to resolve occupies one of the few threads
 *  of the process for each call. Nothing is kept after the answer. */
export function openSystemLookup(): Lookup {
  const running = new Map<string, Promise<readonly string[]>>()
  return async (hostname) => {
    const shared = running.get(hostname)
    if (shared) return shared
    const answer = addressesOf(hostname).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
}

async function addressesOf(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}
