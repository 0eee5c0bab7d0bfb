// A starter that can be killed: starts Postgres on the folder given as argument, says its address and pid in one JSON line, and stays.
import { startPostgres } from '../../../hack/servers/postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url, pid } = await startPostgres({ dataDir, password: 'test', durable: true, persistent: true })
process.stdout.write(`${JSON.stringify({ url, pid })}\n`)
setInterval(() => {}, 60_000)
