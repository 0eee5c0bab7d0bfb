// The last signer's request waits briefly for the sealed copies, so that most signers get their copy at once.
import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '#core/context.ts'
import { SEAL_WAIT_MS } from '#core/limits.ts'
import { queryInOrganisation } from '#core/platform/postgres/client.ts'
import { readSignedCopy, type SignedCopy } from './get-signed-copy.ts'
import type { LinkOwner } from './link-store.ts'
import { selectSealed } from './signature-store.ts'

/** A small document is sealed by then when the machine is not busy. */
const FIRST_POLL_MS = 40

/** The copies when they are sealed within three seconds, otherwise none; sealing continues either way. */
export async function awaitSignedCopy(core: Core, owner: LinkOwner): Promise<SignedCopy['documents']> {
  const deadline = performance.now() + SEAL_WAIT_MS
  for (let wait = FIRST_POLL_MS; performance.now() < deadline; wait = Math.min(wait * 1.5, 250)) {
    await delay(wait)
    if (await isSealed(core, owner)) return (await readSignedCopy(core, owner)).documents
  }
  return []
}

/** A cheap query; the copies are read once. */
async function isSealed({ database }: Core, { orgId, envelopeId }: LinkOwner): Promise<boolean> {
  const [row] = await queryInOrganisation(database, orgId, (sql) => selectSealed(sql, orgId, envelopeId))
  return row?.sealed ?? false
}
