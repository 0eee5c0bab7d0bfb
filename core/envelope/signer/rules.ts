// Orders, turns and statuses of signers.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_SIGN_ORDER } from '#core/limits.ts'

export const SIGNER_STATUSES = ['PENDING', 'SENT', 'VIEWED', 'SIGNED', 'EXPIRED', 'CANCELLED'] as const
export type SignerStatus = (typeof SIGNER_STATUSES)[number]

interface OrderedSigner {
  signOrder: number
  status: SignerStatus
}

/** Gives every signer an order: the given one, else 1, 2, 3 by position. Throws DUPLICATE_SIGN_ORDER. */
export function withOrders<Signer extends { signOrder?: number | undefined }>(
  signers: readonly Signer[],
): (Omit<Signer, 'signOrder'> & { signOrder: number })[] {
  const ordered = signers.map((signer, index) => ({ ...signer, signOrder: signer.signOrder ?? index + 1 }))
  if (new Set(ordered.map(({ signOrder }) => signOrder)).size < ordered.length) throw new DomainError('DUPLICATE_SIGN_ORDER')
  return ordered
}

/** The order of a signer who is added without one: the highest plus one. Throws VALIDATION_FAILED when none is left above it. */
export function nextOrder(taken: readonly number[]): number {
  const next = Math.max(0, ...taken) + 1
  if (next > MAX_SIGN_ORDER) {
    throw new DomainError('VALIDATION_FAILED', {
      message: `signOrder: ${MAX_SIGN_ORDER} is already used; give a free signOrder.`,
    })
  }
  return next
}

/** Who may sign now: all who have not, or with sequential signing only the first of them. */
export function signersInTurn<Signer extends OrderedSigner>(signers: readonly Signer[], sequential: boolean): Signer[] {
  const waiting = signers.filter(({ status }) => status !== 'SIGNED').toSorted((left, right) => left.signOrder - right.signOrder)
  return sequential ? waiting.slice(0, 1) : waiting
}
