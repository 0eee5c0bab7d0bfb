// Appends new chain rows to each organisation's ledger. Not done in user transactions, because they would all wait for the end of the
// ledger. After a crash the next run takes the missing rows; each batch is written with its head, or not at all.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import {
  findLedgerEnd,
  insertLedgerRows,
  type LedgerEnd,
  type LedgerRow,
  listOrganisationsWithPendingRows,
  type PendingRow,
  setLedgerHead,
  takePendingRows,
  tryLockLedger,
} from './ledger-store.ts'
import { auditStatement, CHAIN_START, ledgerHash } from './rules.ts'

/** Chains per batch: their heads are locked while it runs. */
const BATCH = 500

type LedgerCore = Pick<Core, 'database' | 'keys' | 'log'>

/**
 * Appends one batch for every organisation and returns the number of rows. A ledger that was tampered with gets no new rows, which is
 * logged; the others continue. Needs a database of the system role.
 */
export async function extendLedgers(core: LedgerCore): Promise<number> {
  let entered = 0
  for (const orgId of await listOrganisationsWithPendingRows(core.database)) {
    try {
      entered += await inTransaction(core.database, (sql) => extendLedger(sql, core, orgId))
    } catch (error) {
      core.log.error({ err: error, orgId }, 'ledger.failed')
    }
  }
  return entered
}

async function extendLedger(sql: Sql, { keys, log }: LedgerCore, orgId: OrgId): Promise<number> {
  if (!(await tryLockLedger(sql, orgId))) return 0
  const pending = await takePendingRows(sql, orgId, BATCH)
  if (pending.length === 0) return 0
  const end = await findLedgerEnd(sql, orgId)
  assertHeadIsOurs(keys, orgId, end)
  const rows = link(keys, orgId, end, pending)
  await insertLedgerRows(sql, orgId, end.enteredAt, rows)
  const { orgSeq, ledgerHash: hash } = rows.at(-1) ?? { orgSeq: 0, ledgerHash: CHAIN_START }
  const mac = keys.auditMac(auditStatement('head', { orgId, seq: orgSeq }, hash))
  await setLedgerHead(sql, orgId, { orgSeq, hash, mac, enteredAt: end.enteredAt })
  // Logs are stored outside the database: a logged head shows when the database is restored to an earlier state.
  log.info({ orgId, rows: rows.length, ledgerSeq: orgSeq, ledgerHash: hash.toString('hex') }, 'ledger.extended')
  return rows.length
}

/** Extending a forged head would make it valid. */
function assertHeadIsOurs(keys: Core['keys'], orgId: OrgId, { orgSeq, hash, mac }: LedgerEnd): void {
  if (hash === null) return
  if (!keys.isHeadMac(mac, auditStatement('head', { orgId, seq: orgSeq }, hash)))
    throw new Error('The head of the ledger was not made with the key of this installation. Run: sealwright audit verify')
}

function link(keys: Core['keys'], orgId: OrgId, end: LedgerEnd, pending: readonly PendingRow[]): LedgerRow[] {
  let previous = end.hash ?? CHAIN_START
  return pending.map((row, index) => {
    const orgSeq = end.orgSeq + index + 1
    const { envelopeId, seq, hash } = row
    const content = { orgId, orgSeq, envelopeId, seq, eventHash: hash.toString('hex'), enteredAt: end.enteredAt }
    previous = ledgerHash(previous, content)
    return { ...row, orgSeq, ledgerHash: previous, mac: keys.auditMac(auditStatement('row', { orgId, seq: orgSeq }, previous)) }
  })
}
