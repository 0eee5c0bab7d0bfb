// The loops of the seal role that keep the signing keys loaded.
import type { StorelessCore } from '#core/context.ts'
import type { KeyOpener } from '#core/signing-key/loading/key-opener.ts'
import { type KeyRing, openKeyRing } from '#core/signing-key/loading/key-ring.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import type { OpenedKeyFile } from '#core/signing-key/open-key-file.ts'
import { writeTrustFile } from '#core/signing-key/trust-file.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'
import { joinLoops } from '../runtime/join-loops.ts'
import type { Loop } from '../runtime/loop.ts'

const BEAT_MS = 5_000
const SYNC_MS = 1_000

/** Announces this process to rotations, and loads the keys until the loop is disposed of. */
export async function startKeys(
  core: StorelessCore,
  { opener, file, secrets }: { opener: KeyOpener; file: OpenedKeyFile; secrets: SecretReader | undefined },
): Promise<{ ring: KeyRing; loop: Loop }> {
  const places = { keys: core.keys, file: file.key, ...(secrets && { secrets }) }
  const ring = openKeyRing({ core, places, opener })
  if (file.selfMade) await writeTrustFile(core)
  await ring.beat()
  const sync = async (): Promise<boolean> => {
    const changed = await ring.sync()
    if (changed > 0 && file.selfMade) await writeTrustFile(core)
    return false
  }
  const each = { restMs: 0, concurrency: 1, log: core.log }
  const loops = joinLoops(
    startDrainLoop({ ...each, name: 'key heartbeat', pollMs: BEAT_MS, step: async () => (await ring.beat(), false) }),
    startDrainLoop({ ...each, name: 'signing keys', pollMs: SYNC_MS, step: sync }),
  )
  return {
    ring,
    loop: {
      ...loops,
      async [Symbol.asyncDispose]() {
        await loops[Symbol.asyncDispose]()
        await ring[Symbol.asyncDispose]()
      },
    },
  }
}
