// Adds a signer to a draft.
import { appendAudit, type AuditEntry, byCaller } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type EnvelopeId, newId, SignerId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { nextOrder } from '#core/envelope/signer/rules.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { insertSigners, listSigners } from '#core/envelope/signer/store.ts'
import { touchDraft } from './draft-store.ts'
import { lockEnvelopeForChange } from './lock-for-change.ts'
import { assertSignerCount, nextStatus } from './rules.ts'

export interface SignerInput {
  email: string
  name: string
  signOrder?: number | undefined
}

/** Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, TOO_MANY_SIGNERS, DUPLICATE_SIGN_ORDER, ForbiddenError. */
export async function addSigner(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  caller: Caller,
  id: EnvelopeId,
  input: SignerInput,
): Promise<Signer> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const [envelope, signers, end] = await Promise.all([
      lockEnvelopeForChange(sql, caller, id, 'envelope:create'),
      listSigners(sql, orgId, id),
      findChainEnd(sql, orgId, id),
    ])
    nextStatus('edit', envelope.status)
    assertSignerCount(signers.length + 1)
    const orders = signers.map(({ signOrder }) => signOrder)
    const signOrder = input.signOrder ?? nextOrder(orders)
    if (orders.includes(signOrder)) throw new DomainError('DUPLICATE_SIGN_ORDER')
    const signer = { id: newId(SignerId), email: input.email, name: input.name, signOrder }
    const added: AuditEntry = { ...byCaller(caller), action: 'signer.added', detail: { signerId: signer.id } }
    await Promise.all([
      insertSigners(sql, orgId, id, [signer]),
      touchDraft(sql, orgId, id, core.settings.draftTtlSeconds),
      appendAudit(sql, core.keys, orgId, id, end, added),
    ])
    return { ...signer, status: 'PENDING', signedAt: null }
  })
}
