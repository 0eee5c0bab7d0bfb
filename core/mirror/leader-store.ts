// The SQL of which controller leads.
import type { Sql } from '#core/platform/postgres/client.ts'

/** Records the leader unless a later one is recorded, or another one with the same number. Waits for the leader's running transactions. */
export async function upsertLeader(sql: Sql, transitions: number, holder: string): Promise<boolean> {
  const rows = await sql`
    insert into mirror_leader (transitions, holder)
    values (${transitions}, ${holder})
    on conflict (only_one) do update
    set transitions = excluded.transitions, holder = excluded.holder, since = sealwright_now()
    where mirror_leader.transitions < excluded.transitions
      or (mirror_leader.transitions = excluded.transitions and mirror_leader.holder = excluded.holder)
    returning only_one`
  return rows.length > 0
}

export async function selectTransitions(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ transitions: number }[]>`select transitions from mirror_leader`
  return row?.transitions
}

/** Keeps another leader from being recorded until the transaction ends. */
export async function lockTransitions(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ transitions: number }[]>`select transitions from mirror_leader for share`
  return row?.transitions
}
