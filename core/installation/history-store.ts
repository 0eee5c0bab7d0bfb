// The SQL that deletes old rows: one bounded statement per table, each returns the number of deleted rows.
import {
  CEREMONY_HISTORY_SECONDS,
  MAIL_HISTORY_SECONDS,
  MIRROR_HISTORY_SECONDS,
  OUTBOX_HISTORY_SECONDS,
  QUOTA_HISTORY_SECONDS,
} from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Emails that were sent, dropped or dead-lettered: their rows hold addresses, and dead-lettered ones a secret. */
export async function pruneMails(sql: Sql, most: number): Promise<number> {
  const rows = await sql`
    delete from mails
    where (org_id, id) in (
      select org_id, id
      from mails
      where state in ('DONE', 'DROPPED', 'DEAD') and due_at <= sealwright_now() - make_interval(secs => ${MAIL_HISTORY_SECONDS})
      order by due_at
      limit ${most}
      for update skip locked)
    returning id`
  return rows.length
}

/** Events that can no longer be redelivered; their bodies name signers. By their places in the table, which the locks keep: a thousand of a million take
 *  17 ms, and 46 ms by their keys. */
export async function pruneEvents(sql: Sql, most: number, keptSeconds: number): Promise<number> {
  const { count } = await sql`
    delete from events
    where ctid = any(array(
      select ctid
      from events
      where created_at <= sealwright_now() - make_interval(secs => ${keptSeconds}) and released_at is not null
      order by created_at
      limit ${most}
      for update skip locked))`
  return count
}

export async function pruneOutbox(sql: Sql, most: number): Promise<number> {
  const rows = await sql`
    delete from outbox
    where id in (
      select id
      from outbox
      where published_at <= sealwright_now() - make_interval(secs => ${OUTBOX_HISTORY_SECONDS})
      order by published_at
      limit ${most}
      for update skip locked)
    returning id`
  return rows.length
}

/** Changes that no controller has read for that long: without one, or in an outage, after which its sweep finds them. */
export async function pruneMirrorChanges(sql: Sql, most: number): Promise<number> {
  const rows = await sql`
    delete from mirror_changes
    where (kind, id) in (
      select kind, id
      from mirror_changes
      where changed_at <= sealwright_now() - make_interval(secs => ${MIRROR_HISTORY_SECONDS})
      order by changed_at
      limit ${most}
      for update skip locked)
    returning id`
  return rows.length
}

export async function pruneQuotaWindows(sql: Sql, most: number): Promise<number> {
  const rows = await sql`
    delete from quota_windows
    where (org_id, dimension, starts_at) in (
      select org_id, dimension, starts_at
      from quota_windows
      where starts_at <= sealwright_now() - make_interval(secs => ${QUOTA_HISTORY_SECONDS})
      limit ${most}
      for update skip locked)
    returning used`
  return rows.length
}

/** Rows that matter only while an envelope can be signed: codes, wrong codes, and views that open the gate. The audit trail has recorded each. */
export async function pruneCeremonies(sql: Sql, most: number): Promise<number> {
  let pruned = 0
  for (const table of ['otp_challenges', 'otp_failures', 'document_views']) {
    const rows = await sql`
      delete from ${sql(table)}
      where ctid = any(array(
        select r.ctid
        from ${sql(table)} r
        join signing_links l on l.org_id = r.org_id and l.signer_id = r.signer_id
        join envelopes e on e.org_id = l.org_id and e.id = l.envelope_id
        where e.ended_at <= sealwright_now() - make_interval(secs => ${CEREMONY_HISTORY_SECONDS})
        limit ${most}))
      returning org_id`
    pruned += rows.length
  }
  return pruned
}
