// Finds what is missing: rows that a ledger skipped, envelopes without a trail, and rows that sealed copies and reports name.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { BACK_DATING_TOLERANCE_SECONDS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Finding, Tally } from './findings.ts'
import { scanEnvelopesWithoutTrail, scanMismatchedSeals, scanRowsNotInLedger } from './scan-store.ts'

export async function* checkCompleteness(
  sql: Sql,
  _keys: Core['keys'],
  orgId: OrgId | undefined,
  tally: Tally,
): AsyncGenerator<Finding> {
  for await (const { at, shouldBeThere, ...place } of scanRowsNotInLedger(sql, orgId)) {
    tally.notInLedger++
    const reachedMs = tally.ledgers.get(place.orgId)?.latestMs ?? -Infinity
    if (shouldBeThere || at.getTime() < reachedMs - BACK_DATING_TOLERANCE_SECONDS * 1000)
      yield {
        ...place,
        ledgerSeq: null,
        kind: 'missing',
        message: 'the ledger lacks the entry but has later ones',
      }
  }
  for await (const place of scanEnvelopesWithoutTrail(sql, orgId))
    yield { ...place, seq: 1, ledgerSeq: null, kind: 'missing', message: 'the envelope has no audit trail' }
  for await (const { documentId, ...place } of scanMismatchedSeals(sql, orgId)) {
    const sealed = documentId === null ? 'the sealed audit report' : `the sealed copy of document ${documentId}`
    const message = `${sealed} contains a different hash for it`
    yield { ...place, ledgerSeq: null, kind: 'changed', message }
  }
}
