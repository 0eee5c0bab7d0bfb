// What follows once every copy is stored, in one transaction and once: the audit row, and for each signer a mail with a way to the copy.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { setCopyToken } from '#core/ceremony/link-store.ts'
import type { SystemCore } from '#core/context.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import { type EnvelopeId, hashToken, newToken, type OrgId } from '#core/ids.ts'
import { recordMail } from '#core/mail/record-mail.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { listSigners } from '#core/signer/store.ts'
import { markSealDone, type SealedDocument } from './store.ts'

/** Does nothing when another run has finished the envelope before. */
export async function finishSeal(
  core: SystemCore,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
  sealed: readonly SealedDocument[],
): Promise<void> {
  await inTransaction(core.database, async (sql) => {
    // On their way together and done in this order: whoever waited for the lock sees what was done under it.
    const [, isFirst, signers] = await Promise.all([
      lockEnvelope(sql, orgId, envelopeId),
      markSealDone(sql, orgId, envelopeId),
      listSigners(sql, orgId, [envelopeId]),
    ])
    if (!isFirst) return
    const documents = sealed.map(({ documentId, sha256, fingerprint }) => ({
      documentId,
      sha256: sha256.toString('hex'),
      fingerprint,
    }))
    // A token of its own: the first one is known by its hash only and cannot be mailed again.
    const copies = signers.map(({ id: signerId }) => ({ signerId, token: newToken() }))
    const mails = copies.map(
      ({ signerId, token }) => ({ envelopeId, signerId, template: 'COMPLETED', secret: token, held: false }) as const,
    )
    await Promise.all([
      recordAudit(sql, core.keys, orgId, envelopeId, { ...SYSTEM, action: 'envelope.sealed', detail: { documents } }),
      ...copies.map(({ signerId, token }) => setCopyToken(sql, orgId, signerId, hashToken(token))),
      ...mails.map((mail) => recordMail(sql, core.keys, orgId, mail)),
    ])
  })
}
