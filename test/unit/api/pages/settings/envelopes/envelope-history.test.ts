import { expect, test } from 'vitest'
import { isArchived, isHeld } from '../../../../../../api/pages/settings/envelopes/envelope-history.ts'

test.each([
  [[], false],
  [['envelope.sent', 'legal_hold.set', 'envelope.completed'], true],
  [['legal_hold.set', 'legal_hold.released'], false],
  [['legal_hold.set', 'legal_hold.released', 'legal_hold.set'], true],
])('after %o the documents are held: %s', (actions, held) => {
  expect(isHeld(actions.map((action) => ({ action })))).toBe(held)
})

test.each([
  [['envelope.sealed'], false],
  [['envelope.sealed', 'envelope.archived'], true],
])('after %o the documents are gone: %s', (actions, gone) => {
  expect(isArchived(actions.map((action) => ({ action })))).toBe(gone)
})
