// What follows once every copy is stored, in one transaction and once: the audit row, and for each signer a mail with a way to the copy.
import { appendAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import { setCopyTokens } from '#core/ceremony/link-store.ts'
import type { SystemCore } from '#core/context.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import { hashToken, newToken } from '#core/ids.ts'
import { recordMail } from '#core/mail/record-mail.ts'
import { inTransaction } from '#core/postgres/client.ts'
import type { SealedEnvelope } from './seal-documents.ts'
import { type LeasedSeal, markSealDone } from './store.ts'

/** Does nothing when another run has finished the envelope before. */
export async function finishSeal(
  { database, keys }: SystemCore,
  { orgId, envelopeId }: Pick<LeasedSeal, 'orgId' | 'envelopeId'>,
  sealed: SealedEnvelope,
): Promise<void> {
  await inTransaction(database, async (sql) => {
    // They travel together. The lock comes first, so that the others see whatever it waited for.
    const [, isFirst, chainEnd] = await Promise.all([
      lockEnvelope(sql, orgId, envelopeId),
      markSealDone(sql, orgId, envelopeId),
      findChainEnd(sql, orgId, envelopeId),
    ])
    if (!isFirst) return
    const documents = sealed.documents.map(({ documentId, sha256, fingerprint }) => ({
      documentId,
      sha256: sha256.toString('hex'),
      fingerprint,
    }))
    // A token of its own: the first one is known by its hash only and cannot be mailed again.
    const copies = sealed.signerIds.map((signerId) => ({ signerId, token: newToken() }))
    const mails = copies.map(
      ({ signerId, token }) => ({ envelopeId, signerId, template: 'COMPLETED', secret: token, held: false }) as const,
    )
    const hashes = copies.map(({ signerId, token }) => ({ signerId, tokenHash: hashToken(token) }))
    await Promise.all([
      appendAudit(sql, keys, orgId, envelopeId, chainEnd, { ...SYSTEM, action: 'envelope.sealed', detail: { documents } }),
      setCopyTokens(sql, orgId, envelopeId, hashes),
      recordMail(sql, keys, orgId, ...mails),
    ])
  })
}
