// Test servers that come as Go programs: built from pinned modules at first use, kept outside the repository. The build runs at every call,
// because only Go knows whether a binary is still what go.mod says; that takes under a second when it is.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errnoOf } from '#core/platform/storage/errno.ts'

export type ToolName = 'versitygw' | 'nats-server'

const BUILD = fileURLToPath(new URL('../tools/build.sh', import.meta.url))
const run = promisify(execFile)

/** The path of the tool's binary, built when it is missing or outdated. Throws one sentence when Go is missing or the build fails. */
export async function ensureTool(name: ToolName): Promise<string> {
  const { SEALWRIGHT_CACHE_DIR: chosen, ...environment } = process.env
  const cache = chosen || join(homedir(), '.cache/sealwright')
  await requireGo(name)
  // A chosen cache holds what Go keeps as well, so that carrying this one folder along saves the whole build.
  const goCaches = chosen ? { GOCACHE: join(cache, 'go-build'), GOMODCACHE: join(cache, 'go-mod') } : {}
  const bin = join(cache, 'bin')
  try {
    await run(BUILD, [bin, name], { env: { ...environment, ...goCaches } })
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause)
    throw new Error(`Building ${name} from hack/tools failed: ${output}`, { cause })
  }
  return join(bin, name)
}

async function requireGo(name: ToolName): Promise<void> {
  try {
    await run('go', ['version'])
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause
    throw new Error(`Building ${name} requires Go 1.26 or later on the PATH (https://go.dev/dl).`, { cause })
  }
}
