// One more signer for a draft.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { type EnvelopeId, newId, SignerId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { nextOrder } from '#core/signer/rules.ts'
import type { Signer } from '#core/signer/signer.ts'
import { insertSigners, listSigners } from '#core/signer/store.ts'
import { touchDraft } from './draft-store.ts'
import { lockEnvelopeFor } from './lock-for.ts'
import { assertSignerCount, nextStatus } from './rules.ts'

export interface SignerInput {
  email: string
  name: string
  signOrder?: number | undefined
}

/** Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, TOO_MANY_SIGNERS, DUPLICATE_SIGN_ORDER, Forbidden. */
export async function addSigner(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  caller: Caller,
  id: EnvelopeId,
  input: SignerInput,
): Promise<Signer> {
  return inOrganisation(core.database, caller.orgId, async (sql) => {
    const envelope = await lockEnvelopeFor(sql, caller, id, 'envelope:create')
    nextStatus('edit', envelope.status)
    const signers = await listSigners(sql, caller.orgId, [id])
    assertSignerCount(signers.length + 1)
    const orders = signers.map(({ signOrder }) => signOrder)
    const signOrder = input.signOrder ?? nextOrder(orders)
    if (orders.includes(signOrder)) throw new DomainError('DUPLICATE_SIGN_ORDER')
    const signer = { id: newId(SignerId), email: input.email, name: input.name, signOrder }
    await insertSigners(sql, caller.orgId, id, [signer])
    await touchDraft(sql, caller.orgId, id, core.settings.draftTtlSeconds)
    await recordAudit(sql, core.keys, caller.orgId, id, {
      ...byCaller(caller),
      action: 'signer.added',
      detail: { signerId: signer.id },
    })
    return { ...signer, status: 'PENDING', signedAt: null }
  })
}
