// The loops of the seal role that keep the signing keys loaded.
import type { StorelessCore } from '#core/context.ts'
import { describeOwnKey } from '#core/signing-key/loading/describe-own-key.ts'
import type { KeyOpener } from '#core/signing-key/loading/key-opener.ts'
import { type KeyRing, openKeyRing } from '#core/signing-key/loading/key-ring.ts'
import type { OpenedKey } from '#core/signing-key/loading/key-task.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import { writeTrustFile } from '#core/signing-key/trust-file.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'
import { joinLoops } from '../runtime/join-loops.ts'
import type { Loop } from '../runtime/loop.ts'

const HEARTBEAT_MS = 5_000
const SYNC_MS = 1_000
const FROM_SETTINGS = { line: 'signing key: from SEALWRIGHT_SIGNING_KEY_P12_FILE', isUsable: true }

export interface StartedKeys {
  ring: KeyRing
  loop: Loop
  /** About the installation's own key, for the operator. */
  line: string
}

/** Announces this process to rotations, and loads the keys until the loop is disposed of. `file`: the key of the settings' key file. */
export async function startKeys(
  core: StorelessCore,
  { opener, file, secrets }: { opener: KeyOpener; file: OpenedKey | undefined; secrets: SecretReader | undefined },
): Promise<StartedKeys> {
  const places = { keys: core.keys, ...(file && { file }), ...(secrets && { secrets }) }
  const ring = openKeyRing({ core, places, opener })
  const own = file ? FROM_SETTINGS : await describeOwnKey(core, { places, opener })
  if (own.isUsable) core.log.info({ part: own.line }, 'signing_key.opened')
  if (!file) await writeTrustFile(core)
  await ring.heartbeat()
  const sync = async (): Promise<boolean> => {
    const changed = await ring.sync()
    if (changed > 0 && !file) await writeTrustFile(core)
    return false
  }
  const each = { restMs: 0, concurrency: 1, log: core.log }
  const loops = joinLoops(
    startDrainLoop({ ...each, name: 'key heartbeat', pollMs: HEARTBEAT_MS, step: async () => (await ring.heartbeat(), false) }),
    startDrainLoop({ ...each, name: 'signing keys', pollMs: SYNC_MS, step: sync }),
  )
  return {
    ring,
    line: own.line,
    loop: {
      ...loops,
      async [Symbol.asyncDispose]() {
        await loops[Symbol.asyncDispose]()
        await ring[Symbol.asyncDispose]()
      },
    },
  }
}
