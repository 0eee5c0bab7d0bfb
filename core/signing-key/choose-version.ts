// The version that seals for an organisation now.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { listSealCandidates } from './key-store.ts'
import { chooseVersion as choose, type KeyChoice } from './rules.ts'

/** The version, or why the organisation's documents wait. One statement; needs the system role. */
export async function chooseVersion({ database }: Pick<Core, 'database'>, orgId: OrgId): Promise<KeyChoice> {
  return choiceOf(await listSealCandidates(database, orgId))
}

/** Chooses from rows that were read. */
export function choiceOf(rows: Awaited<ReturnType<typeof listSealCandidates>>): KeyChoice {
  const candidates = rows.flatMap(({ candidate }) => candidate ?? [])
  const { now, trustedUntil } = rows[0] ?? { now: new Date(0), trustedUntil: null }
  return choose(candidates, { now, trustedUntil })
}
