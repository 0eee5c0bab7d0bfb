// The pages that the signer has seen, by document; kept over a reload.
import { useCallback, useState } from 'react'
import type { SigningView } from '../ceremony-client.ts'
import { recallProgress, rememberProgress, type SeenPages } from '../remembered-progress.ts'
import { tabStorage } from '../tab-storage.ts'

/** The seen pages, and the function that adds one. */
export function useReadingProgress(view: SigningView): [SeenPages, (documentId: string, page: number) => void] {
  const [seen, setSeen] = useState<SeenPages>(() => recallProgress(tabStorage(), view).seenPages ?? {})
  const add = useCallback(
    (documentId: string, page: number) => {
      const before = recallProgress(tabStorage(), view).seenPages ?? {}
      rememberProgress(tabStorage(), view, { seenPages: withPage(before, documentId, page) })
      setSeen((pages) => withPage(pages, documentId, page))
    },
    [view],
  )
  return [seen, add]
}

function withPage(seen: SeenPages, documentId: string, page: number): SeenPages {
  return { ...seen, [documentId]: [...new Set([...(seen[documentId] ?? []), page])] }
}
