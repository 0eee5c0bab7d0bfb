// Which page of which document is on screen, and the ways to another one.
import { useCallback, useState } from 'react'
import type { CeremonyDocument } from '../ceremony-client.ts'
import type { SeenPages } from '../remembered-progress.ts'
import { nextUnseenPage, type PagePlace } from './next-unseen-page.ts'

export interface PlaceControl {
  currentId: string
  currentPage: number
  /** The document on screen; undefined for an envelope without documents. */
  current: CeremonyDocument | undefined
  /** True for the document that the visit started with: it does not scroll the page, each further one scrolls to its own top. */
  isFirst: boolean
  /** The page to scroll to; a new object for each request. */
  goal: PagePlace | undefined
  choose: (documentId: string) => void
  /** Undefined once every page was seen. */
  goToUnseen: (() => void) | undefined
  onCurrent: (page: number) => void
}

/** Starts with the first document that was not opened before. */
export function usePlace(
  documents: readonly CeremonyDocument[],
  openedIds: readonly string[],
  seenPages: SeenPages,
): PlaceControl {
  const [firstId] = useState(() => firstToRead(documents, openedIds))
  const [place, setPlace] = useState<PagePlace>({ documentId: firstId, page: 1 })
  const [goal, setGoal] = useState<PagePlace>()
  const onCurrent = useCallback((page: number) => setPlace((before) => ({ ...before, page })), [])
  const choose = (documentId: string) => {
    setGoal(undefined)
    if (documentId !== place.documentId) setPlace({ documentId, page: 1 })
  }
  const unseen = nextUnseenPage(documents, seenPages, place)
  const goToUnseen = () => {
    if (!unseen) return
    setPlace(unseen)
    setGoal(unseen)
  }
  return {
    currentId: place.documentId,
    currentPage: place.page,
    current: documents.find(({ id }) => id === place.documentId),
    isFirst: place.documentId === firstId,
    goal,
    choose,
    goToUnseen: unseen && goToUnseen,
    onCurrent,
  }
}

function firstToRead(documents: readonly CeremonyDocument[], openedIds: readonly string[]): string {
  const unread = documents.find(({ id }) => !openedIds.includes(id))
  return (unread ?? documents[0])?.id ?? ''
}
