// Loaded before everything else of a process (`node --import`) and of its threads: a thread that is to seal a document which the folder of `?folder=`
// names by its hash hangs or hoards memory instead, as the file there says. The product's own code is left as it is.
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const SEAL_THREAD = import.meta.resolve('#core/seal/seal-thread.ts')
const misbehaving = new URL('misbehaving-seal-thread.ts', import.meta.url)
misbehaving.search = new URL(import.meta.url).search

if (!isMainThread) {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const isReplaced = resolved.url === SEAL_THREAD && context.parentURL !== misbehaving.href
      return isReplaced ? { url: misbehaving.href, shortCircuit: true } : resolved
    },
  })
}
