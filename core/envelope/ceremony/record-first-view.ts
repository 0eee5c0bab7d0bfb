// signer.viewed: sent once, at the signer's first successful access. Spec, Events.
import { recordEvents } from '#core/event/record-event.ts'
import type { LinkContext } from './with-signing-link.ts'

/** Records the event at the first view and nothing later. The caller records the view itself. */
export async function recordFirstView({ sql, orgId, signerId, envelope, link }: LinkContext): Promise<void> {
  if (link.viewedAt !== null) return
  const { email, name, signOrder } = link
  const signer = { id: signerId, email, name, signOrder, status: 'VIEWED', signedAt: null }
  await recordEvents(sql, orgId, { type: 'signer.viewed', envelope, signer })
}
