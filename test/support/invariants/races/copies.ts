// Copies envelopes for races: the use cases create one, and a few statements copy its rows under new ids, instead of some forty statements
// for each. Audit chains of the copies are recomputed, so invariants hold.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type AuditContent, auditHash, auditStatement, CHAIN_START } from '#core/audit/rules.ts'
import { listAuditEvents } from '#core/audit/store.ts'
import type { Core } from '#core/context.ts'
import type { SigningToken } from '#core/envelope/send-envelope.ts'
import { EnvelopeId, type OrgId, SignerId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import type { Database, Sql } from '#core/platform/postgres/client.ts'

export interface Ready {
  id: EnvelopeId
  tokens: SigningToken[]
}

type Row = Record<string, unknown>

/** An envelope's rows, $1, in the order of their references; without the chain. */
const ROWS: Record<string, string> = {
  envelopes: 'id = $1',
  documents: 'envelope_id = $1',
  signers: 'envelope_id = $1',
  signing_links: 'envelope_id = $1',
  document_views: 'signer_id in (select id from signers where envelope_id = $1)',
  mails: 'envelope_id = $1',
  events: 'envelope_id = $1',
  outbox: `body->>'id' in (select id::text from mails where envelope_id = $1::uuid)`,
}

/** Hands out copies of the envelope that `make` creates once. Requests in one turn of the event loop are made together. */
export function openStock(owner: Database, keys: Core['keys'], orgId: OrgId, make: () => Promise<Ready>): () => Promise<Ready> {
  let pattern: Promise<Copy> | undefined
  let batch: { size: number; copies: Promise<Ready[]> } | undefined
  return async () => {
    pattern ??= make().then((ready) => openPattern(owner, keys, orgId, ready))
    const copy = await pattern
    batch ??= { size: 0, copies: setImmediate().then(() => copy(take())) }
    const index = batch.size++
    return (await batch.copies)[index]!
  }
  function take(): number {
    const { size } = batch!
    batch = undefined
    return size
  }
}

type Copy = (count: number) => Promise<Ready[]>

/** The pattern: an envelope unchanged since it became ready. */
async function openPattern(owner: Database, keys: Core['keys'], orgId: OrgId, { id, tokens }: Ready): Promise<Copy> {
  const tables = await Promise.all(
    Object.entries(ROWS).map(async ([table, condition]) => {
      const found = await owner.unsafe<{ row: Row }[]>(
        `select to_jsonb(r) as row from ${table} r where ${condition} order by to_jsonb(r)->'seq', to_jsonb(r)->'id'`,
        [id],
      )
      return { table, columns: await listColumns(owner, table), rows: found.map(({ row }) => row) }
    }),
  )
  const chain = await listAuditEvents(owner, orgId, id)
  const events: AuditContent[] = chain.map(({ previousHash: _previous, hash: _hash, mac: _mac, ...content }) => content)
  const identifiers = [
    id,
    ...tables.flatMap(({ table, rows }) =>
      table === 'outbox' ? [] : rows.flatMap(({ id: own }) => (typeof own === 'string' ? [own] : [])),
    ),
  ]

  return async function copy(count) {
    const copies = Array.from({ length: count }, () => {
      const names = new Map<string, string>(identifiers.map((old) => [old, randomUUID()]))
      const fresh = tokens.map((signing) => {
        const token = newToken()
        names.set(hexOf(signing.token), hexOf(token))
        return { ...signing, signerId: SignerId.parse(names.get(signing.signerId)), token }
      })
      return { names, ready: { id: EnvelopeId.parse(names.get(id)), tokens: fresh } }
    })
    await owner.begin(async (sql) => {
      for (const { table, columns, rows } of tables) {
        await insertRows(
          sql,
          table,
          columns,
          copies.flatMap(({ names }) => rename(rows, names)),
        )
      }
      const chains = copies.map(({ names }) => chainRows(keys, orgId, rename(events, names)))
      await insertRows(
        sql,
        'audit_events',
        EVENT_COLUMNS,
        chains.flatMap(({ rows }) => rows),
      )
      await insertRows(
        sql,
        'audit_heads',
        HEAD_COLUMNS,
        chains.map(({ head }) => head),
      )
      await countCopies(sql, orgId, id, count)
    })
    return copies.map(({ ready }) => ready)
  }
}

const hexOf = (token: string) => hashToken(token).toString('hex')

/** A table's columns except generated ones. */
async function listColumns(owner: Database, table: string): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO'`
  return rows.map(({ name }) => name)
}

async function insertRows(sql: Sql, table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
  const names = columns.join(', ')
  const values = `select ${names} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`
  await sql.unsafe(`insert into ${table} (${names}) ${values}`, [JSON.stringify(rows)])
}

const EVENT_COLUMNS = 'org_id envelope_id seq at actor action address user_agent detail previous_hash hash mac'.split(' ')
const HEAD_COLUMNS = 'org_id envelope_id seq at hash mac ledgered_seq pending_at'.split(' ')

/** The rows of a chain and its head as the product writes them. */
function chainRows(keys: Core['keys'], orgId: OrgId, events: readonly AuditContent[]): { rows: Row[]; head: Row } {
  let previous: Buffer = CHAIN_START
  let head: Row = {}
  const bytes = (value: Buffer) => `\\x${value.toString('hex')}`
  const rows = events.map((content) => {
    const { envelopeId, seq, at, userAgent, ...said } = content
    const hash = auditHash(previous, content)
    const mac = (kind: 'row' | 'head') => bytes(keys.auditMac(auditStatement(kind, { orgId, envelopeId, seq }, hash)))
    const place = { org_id: orgId, envelope_id: envelopeId, seq, at, hash: bytes(hash) }
    head = { ...place, mac: mac('head'), ledgered_seq: 0, pending_at: events[0]?.at }
    const row = { ...said, ...place, user_agent: userAgent, previous_hash: bytes(previous), mac: mac('row') }
    previous = hash
    return row
  })
  return { rows, head }
}

async function countCopies(sql: Sql, orgId: OrgId, pattern: EnvelopeId, count: number): Promise<void> {
  await sql`
    update organisations set open_envelopes = open_envelopes + ${count},
      storage_bytes = storage_bytes + ${count} * (select coalesce(sum(size_bytes), 0) from documents where envelope_id = ${pattern})
    where id = ${orgId}`
  await sql`
    update quota_windows set used = used + ${count}
    where org_id = ${orgId} and dimension = 'ENVELOPES_SENT_PER_DAY'
      and starts_at = (select max(starts_at) from quota_windows where org_id = ${orgId} and dimension = 'ENVELOPES_SENT_PER_DAY')
      and exists (select from envelopes where id = ${pattern} and sent_at is not null)`
}

/** Replaces each of these names anywhere in the value. */
function rename<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const pattern = new RegExp([...names.keys()].join('|'), 'g')
  return JSON.parse(JSON.stringify(value).replaceAll(pattern, (name) => names.get(name)!)) as Value
}
