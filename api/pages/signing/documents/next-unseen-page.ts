// Which page "Next unseen page" leads to. Uses no browser API.
import type { CeremonyDocument } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'

export interface PagePlace {
  documentId: string
  page: number
}

/** The first unseen page after `current` in the order of the envelope, which starts again after its last page. */
export function nextUnseenPage(
  documents: readonly Pick<CeremonyDocument, 'id' | 'pages'>[],
  seenPages: SeenPages,
  current: PagePlace,
): PagePlace | undefined {
  const places = documents.flatMap(({ id, pages }) =>
    Array.from({ length: pages }, (_, index) => ({ documentId: id, page: index + 1 })),
  )
  const start = places.findIndex(({ documentId, page }) => documentId === current.documentId && page === current.page) + 1
  const onward = [...places.slice(start), ...places.slice(0, start)]
  return onward.find(({ documentId, page }) => !seenPages[documentId]?.includes(page))
}
