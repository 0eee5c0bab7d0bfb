// What should be there and is not: rows that a ledger has passed by, envelopes without a trail, and the rows that sealed copies name.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { BACK_DATING_TOLERANCE_SECONDS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Finding, Tally } from './findings.ts'
import { scanTrailless, scanUnfitSeals, scanUnledgered } from './scan-store.ts'

export async function* checkCompleteness(
  sql: Sql,
  _keys: Core['keys'],
  orgId: OrgId | undefined,
  tally: Tally,
): AsyncGenerator<Finding> {
  for await (const { at, shouldBeThere, ...place } of scanUnledgered(sql, orgId)) {
    tally.notInLedger++
    const reachedMs = tally.ledgers.get(place.orgId)?.latestMs ?? -Infinity
    if (shouldBeThere || at.getTime() < reachedMs - BACK_DATING_TOLERANCE_SECONDS * 1000)
      yield {
        ...place,
        ledgerSeq: null,
        fault: 'missing',
        message: 'the ledger lacks the entry but has later ones',
      }
  }
  for await (const place of scanTrailless(sql, orgId))
    yield { ...place, seq: 1, ledgerSeq: null, fault: 'missing', message: 'the envelope has no audit trail' }
  for await (const { documentId, ...place } of scanUnfitSeals(sql, orgId)) {
    const message = `the sealed copy of document ${documentId} contains a different hash for it`
    yield { ...place, ledgerSeq: null, fault: 'changed', message }
  }
}
