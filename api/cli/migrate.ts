// `sealwright migrate`
import { migrate } from '#core/platform/postgres/migrate.ts'
import type { Command } from 'commander'
import { findDatabaseUrl } from './connect.ts'
import { print } from './print.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('apply pending database migrations')
    .option('--json', 'print one JSON value')
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await migrate(await findDatabaseUrl())
      print(json, { applied }, applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['no pending migrations'])
    })
}
