// SET OF in DER (X.690 11.6), and small checks for reading a CMS. All throw DerError.
import { derChildren, DerError, type DerValue } from '../read-der.ts'

/** The members of a SET OF: ascending and distinct, so that a set has only one encoding. */
export function derSetMembers(set: DerValue): DerValue[] {
  const members = derChildren(set)
  for (const [index, member] of members.entries()) {
    const before = members[index - 1]
    if (before !== undefined && Buffer.compare(before.raw, member.raw) >= 0) throw new DerError('a set is not in DER order')
  }
  return members
}

/** The only value inside a constructed one. */
export function derOnlyChild(value: DerValue): DerValue {
  const [child, ...more] = derChildren(value)
  if (child === undefined || more.length > 0) throw new DerError('there is not exactly one value where one belongs')
  return child
}

/** Throws unless the value is encoded as `wanted`. */
export function expectDer({ raw }: DerValue, wanted: Buffer): void {
  if (!raw.equals(wanted)) throw new DerError('a value is not the one that belongs there')
}
