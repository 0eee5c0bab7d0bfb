// A user of Postgres for each component, made by the statements that operators run.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { openDatabase } from '#core/platform/postgres/client.ts'

const STATEMENTS = new URL('../../docs/database-users.sql', import.meta.url)

const COMPONENTS = ['api', 'worker', 'relay', 'controller'] as const
export type DatabaseUrls = Readonly<Record<(typeof COMPONENTS)[number], string>>

/** Their URLs, with new passwords. `superuserUrl`: of the database. */
export async function createDatabaseUsers(superuserUrl: string): Promise<DatabaseUrls> {
  const database = openDatabase({ url: superuserUrl, pool: 1 })
  try {
    await database.unsafe(await readFile(STATEMENTS, 'utf8'))
    const password = randomUUID()
    for (const each of COMPONENTS) await database.unsafe(`alter role ${userOf(each)} password '${password}'`)
    const urlOf = (component: (typeof COMPONENTS)[number]) => withUser(superuserUrl, userOf(component), password)
    return { api: urlOf('api'), worker: urlOf('worker'), relay: urlOf('relay'), controller: urlOf('controller') }
  } finally {
    await database.end({ timeout: 5 })
  }
}

function userOf(component: keyof DatabaseUrls): string {
  return `sealwright_login_${component}`
}

function withUser(url: string, username: string, password: string): string {
  return Object.assign(new URL(url), { username, password }).href
}
