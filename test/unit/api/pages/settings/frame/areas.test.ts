import { describe, expect, test } from 'vitest'
import { mayVisit, menuFor } from '../../../../../../api/pages/settings/frame/areas.ts'

describe('the menu', () => {
  test('shows members what is theirs', () => {
    expect(menuFor(false).map(({ name }) => name)).toEqual(['overview', 'envelopes', 'workspaces', 'signing-keys'])
  })

  test.each([
    ['envelope', true],
    ['workspaces', true],
    ['workspace', false],
    ['credential', false],
    ['new-credential', false],
    ['webhooks', false],
    ['delivery', false],
    ['people', false],
    ['organisation', false],
    ['activity', false],
    ['account', true],
    ['unknown', false],
  ] as const)('lets a member visit %s: %s', (area, may) => {
    expect(mayVisit(area, false)).toBe(may)
  })

  test('lets an admin visit everything that exists', () => {
    expect(mayVisit('workspace', true)).toBe(true)
    expect(mayVisit('unknown', true)).toBe(false)
  })
})
