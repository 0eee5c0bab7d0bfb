// Places the seals of the usual sets of signers at upload, when the signers are not known yet. Other sets are placed when they are needed,
// from the stored ink.
import type { UploadWarning } from '../upload-warning.ts'
import { warnOfOverlaps } from './overlap-warnings.ts'
import { type Inspected, type PlacedSeal, placeSeals, placeSets } from './place-seals.ts'
import { areaOf } from './seal-areas.ts'
import type { SealPlaces, StoredSeal } from './seal-places.ts'

/** Up to this number, any first signers are planned for; the signers of all markers always are. */
const USUAL_SIGNERS = 4
/** Documents with more markers are planned for the signers of all markers only, because every seal is stored. */
const MANY_MARKERS = 40

export interface PlannedPlaces {
  readonly places: SealPlaces
  /** Where the signers of all markers, or else one signer, cover something. */
  readonly warnings: UploadWarning[]
}

export function planPlaces(inspected: Inspected): PlannedPlaces {
  const marked = [...new Set(inspected.markers.map(({ signOrder }) => signOrder))].toSorted((one, other) => one - other)
  const expected = marked.length > 0 ? marked : [0]
  const sets = [expected, ...(inspected.markers.length > MANY_MARKERS ? [] : otherSets(marked, expected))]
  const placed = placeSets(
    inspected,
    sets.map((signers) => signers.map((signOrder) => ({ signOrder }))),
  )
  const stored = sets.map((signers, index) => ({
    signers,
    seals: (placed[index] ?? []).map((seal) => toStored(inspected, seal)),
  }))
  return { places: { pageCount: inspected.pageCount, marked, sets: stored }, warnings: warnOfOverlaps(placed[0] ?? []) }
}

/** Signers 1 to n, and the signers of all markers with some who have none. */
function otherSets(marked: readonly number[], expected: readonly number[]): number[][] {
  const sets = new Map<string, number[]>()
  for (let count = 1; count <= USUAL_SIGNERS; count++) {
    const first = marked.filter((signOrder) => signOrder <= count)
    const more = count > marked.length ? [[...marked, ...zeros(count - marked.length)]] : []
    for (const set of [[...first, ...zeros(count - first.length)], ...more]) sets.set(set.join(), set)
  }
  sets.delete(expected.join())
  return [...sets.values()]
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}

/** For a set of signers that was not planned. */
export function placeStored(inspected: Inspected, signOrders: readonly number[]): StoredSeal[] {
  return placeSeals(
    inspected,
    signOrders.map((signOrder) => ({ signOrder })),
  ).map((seal) => toStored(inspected, seal))
}

function toStored({ plan }: Inspected, { form, page, matrix, layout, hidden }: PlacedSeal): StoredSeal {
  return { form, page, matrix, layout, ...(hidden && { hidden }), area: areaOf(plan, { page, matrix }) }
}
