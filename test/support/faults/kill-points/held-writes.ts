// Kill points as database triggers that wait for a lock which the test holds: whatever comes to such a write stays in the middle of its transaction
// until everything is killed. The product has no hook for it.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** Names the advisory locks, one for each write. */
const HOLD = 4_242
const REACHED_WITHIN_MS = 90_000

export interface HeldWrite {
  /** Writes of other organisations pass. */
  orgId: string
  /** As a trigger names it: `insert on documents`. */
  write: string
  /** So many writes of the organisation come to this one; those before it pass. What is tried again because it waited too long waits again. */
  nth: number
}

export interface HeldWrites {
  /** Until every write, or each but one, is reached and waits. Throws an error that names those which were not. */
  allReached(but?: HeldWrite): Promise<void>
  /** After the server has been killed. */
  forget(): Promise<void>
}

/** Holds all these writes. The triggers stay in the database: call `releaseWrites` after it has come back. */
export async function holdWrites(databaseUrl: string, held: readonly HeldWrite[]): Promise<HeldWrites> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  const holder = await sql.reserve()
  await holder.unsafe(`
    select pg_advisory_lock(${HOLD}, point) from generate_series(0, ${held.length - 1}) point;
    create function hold() returns trigger language plpgsql security definer as $$
      begin
        if nextval('held_writes_' || tg_argv[0]) >= tg_argv[1]::int then
          perform pg_advisory_xact_lock_shared(${HOLD}, tg_argv[0]::int);
        end if;
        return new;
      end $$;`)
  for (const [point, { orgId, write, nth }] of held.entries())
    await holder.unsafe(`
      create sequence held_writes_${point};
      create trigger a_hold_${point} before ${write} for each row when (new.org_id = '${orgId}') execute function hold(${point}, ${nth});`)
  return {
    allReached: (but) => untilAllWait(sql, held, but),
    forget: () => sql.end({ timeout: 0 }).catch(() => {}), // the server is gone
  }
}

async function untilAllWait(sql: postgres.Sql, held: readonly HeldWrite[], but?: HeldWrite): Promise<void> {
  for (const until = performance.now() + REACHED_WITHIN_MS; ; await delay(20)) {
    const waiting = await sql<{ point: number }[]>`
      select objid::int as point from pg_locks where locktype = 'advisory' and classid = ${HOLD} and not granted`
    const missing = held.filter((each, point) => each !== but && waiting.every((row) => row.point !== point))
    if (missing.length === 0) return
    if (performance.now() > until)
      throw new Error(`Not reached: ${missing.map(({ write, nth }) => `${write} (${nth})`).join(', ')}.`)
  }
}

/** From now on no write waits. */
export async function releaseWrites(sql: postgres.Sql): Promise<void> {
  await sql.unsafe('drop function hold cascade')
}
