// The open/close pairs that show a signer had the documents on screen.
import { randomUUID } from 'node:crypto'
import { recordAudit } from '#core/audit/record-audit.ts'
import type { Core, Origin } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { asActor, enter } from './enter.ts'
import { closeView, openView } from './link-store.ts'
import { recordFirstView } from './record-first-view.ts'
import { assertActable, assertOtpPermission } from './rules.ts'

/** Opens a pair; again within the dedup window it does nothing.
 *  Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED, NOT_YOUR_TURN, OTP_REQUIRED. */
export async function recordViewOpened(core: Core, token: string, origin: Origin): Promise<void> {
  await enter(core, token, { lock: true }, async (visit) => {
    const { sql, orgId, signerId, envelope, link } = visit
    assertActable(link, envelope)
    assertOtpPermission(link, envelope)
    const opened = await openView(sql, orgId, signerId, randomUUID(), core.settings.viewDedupWindowSeconds)
    if (!opened) return
    await recordAudit(sql, core.keys, orgId, envelope.id, { actor: asActor(link), origin, action: 'document.opened' })
    await recordFirstView(visit)
  })
}

/** Closes the latest open pair; without one it does nothing. A page that closes just after signing still completes its pair.
 *  Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, NOT_YOUR_TURN. */
export async function recordViewClosed(core: Core, token: string, durationMs: number | undefined, origin: Origin): Promise<void> {
  await enter(core, token, { lock: true }, async ({ sql, orgId, signerId, envelope, link }) => {
    try {
      assertActable(link, envelope)
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'ALREADY_SIGNED')) throw error
    }
    const closed = await closeView(sql, orgId, signerId, durationMs ?? null)
    if (!closed) return
    const detail = durationMs === undefined ? {} : { durationMs }
    await recordAudit(sql, core.keys, orgId, envelope.id, { actor: asActor(link), origin, action: 'document.closed', detail })
  })
}
