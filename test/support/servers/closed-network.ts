// A network of its own for a script and all that it starts, of which only the loopback interface leads anywhere. The kernel counts what wanted to leave.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** The name server is not on this machine, so the attempt to resolve a name counts too. */
const RESOLVER = 'nameserver 192.0.2.53\noptions timeout:1 attempts:1\n'
const SETUP = 'ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'
/** Who is not root needs a namespace of users to make the others. */
const AS_USER = ['--user', '--map-current-user', '--keep-caps']
const MOST_BYTES = 1024 * 1024

const run = promisify(execFile)

/** Why such a network cannot be made here, as in most containers; undefined when it can. */
export async function closedNetworkRefusal(): Promise<string | undefined> {
  try {
    await run('unshare', [...asUser(), '--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  }
}

/** What the script prints. Throws its output if it fails. */
export async function runInClosedNetwork(script: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-closed-'))
  const resolver = path.join(folder, 'resolv.conf')
  await writeFile(resolver, RESOLVER, { mode: 0o644 })
  const command = ['sh', '-c', SETUP, 'sh', resolver, process.execPath, script]
  try {
    return (await run('unshare', [...asUser(), '--net', '--mount', ...command], { maxBuffer: MOST_BYTES })).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function asUser(): string[] {
  return process.getuid?.() === 0 ? [] : AS_USER
}

/** How many connections and datagrams of this network, by any process, had no way to their address. */
export async function countUnreachable(): Promise<number> {
  const [ipv4, ipv6] = await Promise.all(['snmp', 'snmp6'].map((name) => readFile(`/proc/self/net/${name}`, 'utf8')))
  const [names, values] = (ipv4?.match(/^Ip: .*$/gm) ?? []).map((line) => line.split(' '))
  const counts = [values?.[names?.indexOf('OutNoRoutes') ?? -1], /^Ip6OutNoRoutes\s+(\d+)$/m.exec(ipv6 ?? '')?.[1]].map(Number)
  if (counts.some(Number.isNaN)) throw new Error('The kernel does not count packets without a route.')
  return counts.reduce((sum, count) => sum + count, 0)
}
