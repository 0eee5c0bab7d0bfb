// The places of the seals as an upload's inspection stores them: for the usual sets of signers, so that neither sealing nor the signing page
// has to search for free space.
import type { Placement } from '../increment/place-forms.ts'

export interface SealArea {
  /** Counted from 1. */
  page: number
  /** The lower left corner, in PDF points of the shown page from its own lower left corner. */
  x: number
  y: number
  width: number
  height: number
}

export interface StoredSeal extends Placement {
  readonly area: SealArea
}

export interface SealSet {
  /** The sign orders of signers with a marker, ascending, then a 0 for each signer without one. `form` of a seal is an index into it. */
  readonly signers: readonly number[]
  readonly seals: readonly StoredSeal[]
}

/** Part of an inspection; stored as JSON. */
export interface SealPlaces {
  readonly pageCount: number
  /** The sign orders that have a marker, ascending. */
  readonly marked: readonly number[]
  readonly sets: readonly SealSet[]
}

/** The seals of signers with these sign orders, `form` being an index into them; undefined when this set of signers was not planned. */
export function findSeals({ marked, sets }: SealPlaces, signOrders: readonly number[]): StoredSeal[] | undefined {
  const orderOf = (form: number): number => signOrders[form] ?? 0
  const forms = [...signOrders.keys()]
  const withMarker = forms.filter((form) => marked.includes(orderOf(form)))
  const ordered = [
    ...withMarker.toSorted((one, other) => orderOf(one) - orderOf(other)),
    ...forms.filter((form) => !withMarker.includes(form)),
  ]
  const wanted = ordered.map((form) => (withMarker.includes(form) ? orderOf(form) : 0)).join()
  const set = sets.find(({ signers }) => signers.join() === wanted)
  return set?.seals.map((seal) => ({ ...seal, form: ordered[seal.form] ?? 0 }))
}
