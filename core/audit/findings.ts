// The findings and counters of `audit verify`.
import type { ViolationKind } from './chain-walk.ts'
import type { LedgerPoint } from './ledger-walk.ts'

export interface BadRow {
  orgId: string
  /** Null when a ledger lost its own rows. */
  envelopeId: string | null
  /** Number of the row in the envelope's chain. */
  seq: number | null
  /** Number of the row in the organisation's ledger, when the ledger revealed the problem. */
  ledgerSeq: number | null
  kind: ViolationKind
  message: string
}

/** A bad row, with its hash where that can show its origin. */
export type Finding = BadRow & { hash?: Buffer }

export interface Tally {
  envelopes: number
  rows: number
  notInLedger: number
  /** The last verified row of each organisation's ledger. */
  ledgers: Map<string, LedgerPoint>
}

export function newTally(): Tally {
  return { envelopes: 0, rows: 0, notInLedger: 0, ledgers: new Map() }
}
