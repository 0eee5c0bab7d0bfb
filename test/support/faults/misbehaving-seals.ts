// Preloaded into a process (`node --import`) and its threads: a sealing thread hangs or exhausts memory on documents that the folder of
// `?folder=` lists by hash, as the file there says. The product's code is unchanged.
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
