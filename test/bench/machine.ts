// The conditions of a measurement: machine and servers.
import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Database } from '#core/platform/postgres/client.ts'

const MODULES = new URL('../../hack/tools/go.mod', import.meta.url)

/** One line: processors, memory, the versions below the pipeline, and the current load. */
export async function describeMoment(owner: Database): Promise<string> {
  const [first] = cpus()
  const [postgres] = await owner<{ version: string }[]>`select current_setting('server_version') as version`
  const modules = await readFile(MODULES, 'utf8')
  const versionOf = (module: string) => new RegExp(`${module} (v\\S+)`).exec(modules)?.[1] ?? 'of unknown version'
  return [
    `${cpus().length} x ${first?.model.trim()}`,
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `Node ${process.version}`,
    `Postgres ${postgres?.version}`,
    `NATS ${versionOf('nats-server/v2')}`,
    `versitygw ${versionOf('versity/versitygw')}`,
    `load average before ${loadavg()[0]?.toFixed(1)}`,
  ].join(', ')
}
