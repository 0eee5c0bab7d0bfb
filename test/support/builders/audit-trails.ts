// An organisation with a few audit trails, and the database owner's ways to tamper with them.
import { randomBytes } from 'node:crypto'
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { auditHash, CHAIN_START, ledgerHash } from '#core/audit/rules.ts'
import { listAuditEvents } from '#core/audit/store.ts'
import { type AuditVerdict, verifyAudit } from '#core/audit/verify-audit.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { openLog } from '#core/platform/log.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { aDraftRow, anOrganisation, type Organisation } from './rows.ts'
import type { TestDatabase } from '../servers/test-database.ts'

/** Rows per chain. */
export const ROWS = 5

export const keys = deriveInstallationKeys(randomBytes(32))
const log = openLog('silent', '/dev/null')

export interface AuditTrails {
  organisation: Organisation
  /** Three, each with its chain. */
  envelopes: EnvelopeId[]
  anEnvelope(owner?: Organisation): Promise<EnvelopeId>
  record(id: EnvelopeId, owner?: Organisation): Promise<void>
  /** Extends every organisation's ledger by one batch. */
  ledger(): Promise<number>
  verify(owner?: Organisation): Promise<AuditVerdict>
  /** As the database owner, bypassing every trigger. */
  tamper(work: (sql: Sql) => Promise<unknown>): Promise<void>
  /** Recomputes a chain's hashes from its rows: the most an attacker without the key can do. */
  rehash(sql: Sql, id: EnvelopeId): Promise<void>
  /** The same for the ledger. */
  relink(sql: Sql): Promise<void>
}

export async function auditTrails(database: TestDatabase): Promise<AuditTrails> {
  const organisation = await anOrganisation(database.system)
  const record = (id: EnvelopeId, { orgId } = organisation) =>
    inTransaction(database.system, async (sql) => {
      await lockEnvelope(sql, orgId, id)
      const detail = { n: randomBytes(4).toString('hex') }
      await recordAudit(sql, keys, orgId, id, { ...SYSTEM, action: 'document.opened', detail })
    })
  const anEnvelope = async (owner = organisation) => {
    const id = await aDraftRow(database.system, owner)
    for (let row = 0; row < ROWS; row++) await record(id, owner)
    return id
  }
  return {
    organisation,
    envelopes: [await anEnvelope(), await anEnvelope(), await anEnvelope()],
    anEnvelope,
    record,
    ledger: () => extendLedgers({ database: database.system, keys, log }),
    verify: ({ orgId } = organisation) => verifyAudit({ database: database.system, keys }, orgId),
    tamper: async (work) => {
      await database.owner.begin(async (sql) => {
        await sql`set local session_replication_role = replica`
        await work(sql)
      })
    },
    rehash: (sql, id) => rehash(sql, organisation, id),
    relink: (sql) => relink(sql, organisation),
  }
}

async function rehash(sql: Sql, { orgId }: Organisation, envelopeId: EnvelopeId): Promise<void> {
  let previous: Buffer = CHAIN_START
  for (const { previousHash: _, hash: __, mac: ___, ...content } of await listAuditEvents(sql, orgId, envelopeId)) {
    const hash = auditHash(previous, content)
    await sql`
      update audit_events set previous_hash = ${previous}, hash = ${hash} where envelope_id = ${envelopeId} and seq = ${content.seq}`
    previous = hash
  }
  await sql`update audit_heads set hash = ${previous} where envelope_id = ${envelopeId}`
}

async function relink(sql: Sql, { orgId }: Organisation): Promise<void> {
  const rows = await sql<{ orgSeq: number; envelopeId: string; seq: number; eventHash: Buffer; enteredAt: string }[]>`
    select org_seq, envelope_id, seq, event_hash, to_char(entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as entered_at
    from audit_ledger where org_id = ${orgId} order by org_seq`
  let previous: Buffer = CHAIN_START
  for (const [index, { orgSeq: old, envelopeId, seq, eventHash, enteredAt }] of rows.entries()) {
    const orgSeq = index + 1
    previous = ledgerHash(previous, { orgId, orgSeq, envelopeId, seq, eventHash: eventHash.toString('hex'), enteredAt })
    await sql`update audit_ledger set org_seq = ${orgSeq}, hash = ${previous} where org_id = ${orgId} and org_seq = ${old}`
  }
  await sql`update audit_ledger_heads set org_seq = ${rows.length}, hash = ${previous} where org_id = ${orgId}`
}
