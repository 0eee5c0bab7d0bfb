// signer.viewed: told once, at the signer's first successful access. Spec, Events.
import { recordEvent } from '#core/event/record-event.ts'
import { markViewed } from '#core/signer/store.ts'
import type { Visit } from './enter.ts'

/** Marks the signer as having seen the envelope and records the event, the first time only. */
export async function recordFirstView({ sql, orgId, signerId, envelope, link }: Visit): Promise<void> {
  if (link.viewedAt !== null) return
  await markViewed(sql, orgId, signerId)
  const { email, name, signOrder } = link
  await recordEvent(sql, orgId, 'signer.viewed', envelope, {
    id: signerId,
    email,
    name,
    signOrder,
    status: 'VIEWED',
    signedAt: null,
  })
}
