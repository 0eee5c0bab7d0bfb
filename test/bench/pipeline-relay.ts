// The rate at which committed outbox rows reach JetStream, against the same messages sent directly in batches of the same size.
import { setTimeout as delay } from 'node:timers/promises'
import type { NotifierMessage } from '#core/messaging/notifier.ts'
import { openNotifier } from '#core/messaging/open-notifier.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { openLog } from '#core/platform/log.ts'
import type { PipelineSystem } from './pipeline-system.ts'

export interface RelayFigures {
  rows: number
  perSecond: number
  /** Without Postgres and without a relay. */
  barePerSecond: number
}

const BATCH = 500
/** No process of the benchmark takes these. */
const SUBJECT = 'sealwright.probe.requested'
const LOOK_EVERY_MS = 100

/** Commits `rows` messages at once and waits until the relay has published them. Needs the relay. */
export async function relayRows(system: PipelineSystem, rows: number): Promise<RelayFigures> {
  const { owner } = system
  const [template] = await owner<{ orgId: string; body: object }[]>`
    select org_id, body from outbox where subject = 'sealwright.mail.requested' order by id limit 1`
  const { orgId, body } = template!
  await owner`
    insert into outbox (org_id, partition, subject, body)
    select ${orgId}, hashtext(n::text) & 15, ${SUBJECT}, ${owner.json({ ...body })} from generate_series(1, ${rows}::int) n`
  const [committed] = await owner<{ at: Date; last: string }[]>`select clock_timestamp() as at, max(id)::text as last from outbox`
  const { at, last } = committed!
  while (await isLeft(system, last)) await delay(LOOK_EVERY_MS)
  const [done] = await owner<{ seconds: number }[]>`
    select extract(epoch from max(pg_xact_commit_timestamp(xmin)) - ${at}::timestamptz)::float8 as seconds
    from (select xmin from outbox where id <= ${last}::bigint order by id desc limit ${rows}) relayed`
  return { rows, perSecond: rows / done!.seconds, barePerSecond: await publishBare(system.natsUrl, body, rows) }
}

async function isLeft({ owner }: PipelineSystem, last: string): Promise<boolean> {
  const [row] = await owner<{ left: boolean }[]>`
    select exists (select from outbox where published_at is null and id <= ${last}::bigint) as left`
  return row!.left
}

async function publishBare(natsUrl: string, body: object, rows: number): Promise<number> {
  const { settings } = readSettings({ SEALWRIGHT_NATS_URL: natsUrl })
  await using opened = await openNotifier(settings, 'bench', openLog('error'))
  const startedAt = performance.now()
  for (let sent = 0; sent < rows; sent += BATCH) {
    const messages = Array.from({ length: BATCH }, (_, index): NotifierMessage => {
      return {
        subject: SUBJECT,
        id: `bare ${sent + index}`,
        body: { ...body },
        partition: index % 8,
        traceParent: null,
      }
    })
    await opened.notifier.publish(messages)
  }
  return rows / ((performance.now() - startedAt) / 1000)
}
