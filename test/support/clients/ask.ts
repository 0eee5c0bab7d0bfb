// One question to a database of which nothing else is held.
import postgres from 'postgres'

/** Connects as the owner of the schema, asks, and lets go. */
export async function ask<Answer>(databaseUrl: string, question: (sql: postgres.Sql) => PromiseLike<Answer>): Promise<Answer> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    return await question(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
