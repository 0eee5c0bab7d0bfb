import { describe, expect, test } from 'vitest'
import {
  choicesOf,
  grantsOf,
  holdsAll,
  withAll,
  withPermission,
} from '../../../../../../api/pages/settings/permissions/grants.ts'

describe('choosing permissions', () => {
  test('brings reading along with any other', () => {
    expect(withPermission([], 'envelope:send', true)).toEqual(['envelope:read', 'envelope:send'])
  })

  test('takes everything away with reading', () => {
    expect(withPermission(['envelope:read', 'envelope:send'], 'envelope:read', false)).toEqual([])
  })

  test('leaves reading when another is taken away', () => {
    expect(withPermission(['envelope:read', 'envelope:send'], 'envelope:send', false)).toEqual(['envelope:read'])
  })

  test('never holds one twice', () => {
    expect(withPermission(['envelope:read'], 'envelope:read', true)).toEqual(['envelope:read'])
  })

  test('gives all or none', () => {
    expect(holdsAll(withAll(true))).toBe(true)
    expect(withAll(false)).toEqual([])
    expect(holdsAll(['envelope:read'])).toBe(false)
  })

  test('grants nothing where nothing is ticked', () => {
    const grants = [{ workspaceId: 'w1', permissions: ['envelope:read' as const] }]
    expect(grantsOf({ ...choicesOf(grants), w2: [] })).toEqual(grants)
  })
})
