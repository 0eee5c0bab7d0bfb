// The compile cache of this process (NODE_COMPILE_CACHE), for its threads and processes: those load the same modules at every start.
import { realpathSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** Absolute and without symbolic links; undefined when this process has none, as in a container. */
export function compileCacheFolder(): string | undefined {
  const versioned = getCompileCacheDir()
  return versioned === undefined ? undefined : realpathSync(dirname(versioned))
}

/** The only setting that threads and processes for hostile input share with this process. */
export function compileCacheEnvironment(): Record<string, string> {
  const folder = compileCacheFolder()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}
