// Open/close pairs: evidence that a signer had the documents on screen.
import { randomUUID } from 'node:crypto'
import { appendAudit } from '#core/audit/record-audit.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { asActor, withSigningLink, ownerOf } from './with-signing-link.ts'
import { closeView, openView } from './link-store.ts'
import { recordFirstView } from './record-first-view.ts'
import { assertActable, assertOtpPermission, isWithinLastView } from './rules.ts'

/** Opens a pair; a repetition within the dedup window has no effect. Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED, NOT_YOUR_TURN,
 *  OTP_REQUIRED. */
export async function recordViewOpened(core: Core, token: string, origin: ClientInfo): Promise<void> {
  await withSigningLink(core, await ownerOf(core, token), async (context) => {
    const { sql, orgId, signerId, envelope, link, chainEnd } = context
    assertActable(link, envelope)
    assertOtpPermission(link, envelope)
    if (isWithinLastView(link, envelope, core.settings.viewDedupWindowSeconds)) return
    await Promise.all([
      openView(sql, orgId, signerId, randomUUID()),
      appendAudit(sql, core.keys, orgId, envelope.id, chainEnd, { actor: asActor(link), origin, action: 'document.opened' }),
      recordFirstView(context),
    ])
  })
}

/** Closes the latest open pair; without one it has no effect. A page that closes just after signing still completes its pair. Throws
 *  SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, NOT_YOUR_TURN. */
export async function recordViewClosed(
  core: Core,
  token: string,
  durationMs: number | undefined,
  origin: ClientInfo,
): Promise<void> {
  await withSigningLink(core, await ownerOf(core, token), async ({ sql, orgId, signerId, envelope, link, chainEnd }) => {
    try {
      assertActable(link, envelope)
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'ALREADY_SIGNED')) throw error
    }
    const closed = await closeView(sql, orgId, signerId, durationMs ?? null)
    if (!closed) return
    const detail = durationMs === undefined ? {} : { durationMs }
    const entry = { actor: asActor(link), origin, action: 'document.closed', detail } as const
    await appendAudit(sql, core.keys, orgId, envelope.id, chainEnd, entry)
  })
}
