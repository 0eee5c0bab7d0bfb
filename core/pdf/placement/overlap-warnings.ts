// Warns at upload where a seal will have to cover something, while the document can still be changed.
import type { UploadWarning } from '../upload-warning.ts'
import type { PlacedSeal } from './place-seals.ts'

/** One warning for each marker without room, in page order; without any marker, one for a last page that is full. */
export function warnOfOverlaps(seals: readonly PlacedSeal[]): UploadWarning[] {
  return seals
    .filter(({ overlaps }) => overlaps)
    .map(({ page, marker }) => ({
      code: 'SEAL_OVERLAPS_TEXT' as const,
      page,
      ...(marker && { marker: `{{signer${marker.signOrder}}}` }),
      message: `${marker ? `The seal at {{signer${marker.signOrder}}}` : 'The first seal'} will cover a part of page ${page + 1}: there is no free area of 120 x 40 points${marker ? ' around the marker' : ''}.`,
    }))
    .toSorted((one, other) => one.page - other.page)
}
