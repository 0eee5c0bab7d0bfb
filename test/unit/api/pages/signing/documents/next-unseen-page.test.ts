import { expect, test } from 'vitest'
import { nextUnseenPage } from '../../../../../../api/pages/signing/documents/next-unseen-page.ts'

const DOCUMENTS = [
  { id: 'lease', pages: 3 },
  { id: 'annex', pages: 2 },
]

test.each([
  ['of this document', { lease: [1] }, 'lease 1', 'lease 2'],
  ['over those that were seen', { lease: [1, 2] }, 'lease 1', 'lease 3'],
  ['of the next document', { lease: [1, 2, 3] }, 'lease 3', 'annex 1'],
  ['before this page, after the last page', { lease: [1, 3], annex: [1, 2] }, 'annex 2', 'lease 2'],
  ['past a page that is on screen but not seen yet', {}, 'lease 1', 'lease 2'],
  ['that is this page itself when it is the only one', { lease: [1, 3], annex: [1, 2] }, 'lease 2', 'lease 2'],
  ['of the first document when the place is unknown', {}, 'gone 1', 'lease 1'],
])('leads to the next unseen page %s', (_name, seenPages, from, to) => {
  expect(nextUnseenPage(DOCUMENTS, seenPages, place(from))).toEqual(place(to))
})

test('leads nowhere once every page was seen', () => {
  expect(nextUnseenPage(DOCUMENTS, { lease: [1, 2, 3], annex: [2, 1] }, place('annex 2'))).toBeUndefined()
})

function place(words: string) {
  const [documentId = '', page] = words.split(' ')
  return { documentId, page: Number(page) }
}
