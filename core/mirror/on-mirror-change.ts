// Says when there is something to show in Kubernetes.
import type { StorelessCore } from '#core/context.ts'

/** Calls `wake` after every commit that changed a mirrored object and after each reconnect, until disposed. */
export async function onMirrorChange({ database }: Pick<StorelessCore, 'database'>, wake: () => void): Promise<AsyncDisposable> {
  const listening = await database.listen('sealwright_mirror', wake, wake)
  return { [Symbol.asyncDispose]: () => listening.unlisten() }
}
