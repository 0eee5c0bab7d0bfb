// A starter that tests can kill: starts Postgres on the folder in its argument, prints address and pid as one JSON line, and stays.
import { startPostgres } from '../../../hack/servers/postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url, pid } = await startPostgres({ dataDir, password: 'test', durable: true, persistent: true })
process.stdout.write(`${JSON.stringify({ url, pid })}\n`)
setInterval(() => {}, 60_000)
