// SET OF in DER (X.690 11.6), and the small checks that reading a CMS needs again and again. All throw DerError.
import { derChildren, DerError, type DerValue } from '../read-der.ts'

/** The members of a SET OF: in ascending order and all different, so that one set can be written in one way only. */
export function derSetMembers(set: DerValue): DerValue[] {
  const members = derChildren(set)
  for (const [index, member] of members.entries()) {
    const before = members[index - 1]
    if (before !== undefined && Buffer.compare(before.raw, member.raw) >= 0) throw new DerError('a set is not in DER order')
  }
  return members
}

/** The single value inside a constructed one. */
export function derOnlyChild(value: DerValue): DerValue {
  const [child, ...more] = derChildren(value)
  if (child === undefined || more.length > 0) throw new DerError('there is not exactly one value where one belongs')
  return child
}

/** Refuses a value that is not written as `wanted`. */
export function expectDer({ raw }: DerValue, wanted: Buffer): void {
  if (!raw.equals(wanted)) throw new DerError('a value is not the one that belongs there')
}
