// What `audit verify` finds and counts on its way.
import type { AuditFault } from './chain-walk.ts'
import type { LedgerPoint } from './ledger-walk.ts'

export interface BadRow {
  orgId: string
  /** Null where a ledger has lost its own rows. */
  envelopeId: string | null
  /** In the envelope's chain. */
  seq: number | null
  /** In the organisation's ledger, where that is what showed it. */
  ledgerSeq: number | null
  fault: AuditFault
  message: string
}

/** What the checks find: a bad row, with its hash where that may tell where it came from. */
export type Finding = BadRow & { hash?: Buffer }

export interface Tally {
  envelopes: number
  rows: number
  notInLedger: number
  /** How far each organisation's ledger goes. */
  ledgers: Map<string, LedgerPoint>
}

export function newTally(): Tally {
  return { envelopes: 0, rows: 0, notInLedger: 0, ledgers: new Map() }
}
