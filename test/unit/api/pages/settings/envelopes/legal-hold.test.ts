import { expect, test } from 'vitest'
import { isHeld } from '../../../../../../api/pages/settings/envelopes/legal-hold.ts'

test.each([
  [[], false],
  [['envelope.sent', 'legal_hold.set', 'envelope.completed'], true],
  [['legal_hold.set', 'legal_hold.released'], false],
  [['legal_hold.set', 'legal_hold.released', 'legal_hold.set'], true],
])('after %o the documents are held: %s', (actions, held) => {
  expect(isHeld(actions.map((action) => ({ action })))).toBe(held)
})
