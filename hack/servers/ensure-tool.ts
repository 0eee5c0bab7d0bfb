// Builds the Go programs among the test servers from pinned modules, outside the repository. Runs at every call, because only Go can tell
// whether a binary matches go.mod; that takes under a second when it does.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errnoOf } from '#core/platform/storage/storage-error.ts'

export type ToolName =
  | 'versitygw'
  | 'nats-server'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubectl'
  | 'helm'
  | 'kubeconform'

const BUILD = fileURLToPath(new URL('../tools/build.sh', import.meta.url))
const run = promisify(execFile)

/** Where `ensureTool` puts the tool's binary. */
export function toolPath(name: ToolName): string {
  return join(cacheFolder(), 'bin', name)
}

/**
 * The path of the tool's binary, built if missing or outdated. Throws a one-line message when Go is missing or the build fails. `isUrgent`: false for a
 * build that only uses processors which nothing else needs.
 */
export async function ensureTool(name: ToolName, { isUrgent = true } = {}): Promise<string> {
  const { SEALWRIGHT_CACHE_DIR: chosen, ...environment } = process.env
  const cache = cacheFolder()
  await requireGo(name)
  // A chosen cache also holds Go's own caches, so that keeping this one folder saves the whole build.
  const goCaches = chosen ? { GOCACHE: join(cache, 'go-build'), GOMODCACHE: join(cache, 'go-mod') } : {}
  const bin = join(cache, 'bin')
  try {
    await run('nice', ['-n', isUrgent ? '0' : '19', BUILD, bin, name], { env: { ...environment, ...goCaches } })
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause)
    throw new Error(`Building ${name} from hack/tools failed: ${output}`, { cause })
  }
  return join(bin, name)
}

function cacheFolder(): string {
  return process.env['SEALWRIGHT_CACHE_DIR'] || join(homedir(), '.cache/sealwright')
}

async function requireGo(name: ToolName): Promise<void> {
  try {
    await run('go', ['version'])
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause
    throw new Error(`Building ${name} requires Go 1.26 or later on the PATH (https://go.dev/dl).`, { cause })
  }
}
