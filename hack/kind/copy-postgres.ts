// node hack/kind/copy-postgres.ts FOLDER: copies the Postgres of `npm start`.
import { cp } from 'node:fs/promises'
import { postgresFolder } from '../servers/postgres-binaries.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node hack/kind/copy-postgres.ts FOLDER')
await cp(await postgresFolder(undefined), folder, { recursive: true, verbatimSymlinks: true })
if (process.connected) process.disconnect()
