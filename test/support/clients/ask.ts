// Runs one query on a separate connection.
import postgres from 'postgres'

/** Connects as the schema's owner, runs the query, and disconnects. */
export async function ask<Answer>(databaseUrl: string, question: (sql: postgres.Sql) => PromiseLike<Answer>): Promise<Answer> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    return await question(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
