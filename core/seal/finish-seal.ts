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
    await lockEnvelope(sql, orgId, envelopeId)
    if (!(await markSealDone(sql, orgId, envelopeId))) return
    const documents = sealed.map(({ documentId, sha256, fingerprint }) => ({
      documentId,
      sha256: sha256.toString('hex'),
      fingerprint,
    }))
    await recordAudit(sql, core.keys, orgId, envelopeId, { ...SYSTEM, action: 'envelope.sealed', detail: { documents } })
    for (const { id: signerId } of await listSigners(sql, orgId, [envelopeId])) {
      // A token of its own: the first one is known by its hash only and cannot be mailed again.
      const token = newToken()
      await setCopyToken(sql, orgId, signerId, hashToken(token))
      await recordMail(sql, core.keys, orgId, { envelopeId, signerId, template: 'COMPLETED', secret: token, held: false })
    }
  })
}
