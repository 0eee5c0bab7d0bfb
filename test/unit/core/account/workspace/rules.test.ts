import { holds, type Permission, PERMISSIONS, type Role, withReading } from '#core/account/workspace/rules.ts'
import { describe, expect, test } from 'vitest'

const ROLES: Record<string, Role> = {
  none: undefined,
  'with nothing in it': [],
  'that creates': ['envelope:create'],
  'that sends and cancels': ['envelope:send', 'envelope:cancel'],
  'that downloads': ['document:download'],
  'with everything': PERMISSIONS,
}
const NOT_READ = PERMISSIONS.filter((permission) => permission !== 'envelope:read')

describe('a role', () => {
  test.each(Object.entries(ROLES))('%s reads the workspace if and only if it exists', (_, role) => {
    expect(holds(role, 'envelope:read')).toBe(role !== undefined)
  })

  test.each(Object.entries(ROLES))('%s holds what it names and nothing else', (_, role) => {
    const held = NOT_READ.filter((permission) => holds(role, permission))
    expect(held).toEqual(NOT_READ.filter((permission) => role?.includes(permission)))
  })

  test('is shown with reading first, then its permissions in the order of the five', () => {
    expect(withReading([])).toEqual(['envelope:read'])
    expect(withReading(['document:download', 'envelope:create'])).toEqual([
      'envelope:read',
      'envelope:create',
      'document:download',
    ])
    expect(withReading(['envelope:read'])).toEqual(['envelope:read'])
    expect(withReading(PERMISSIONS)).toEqual(PERMISSIONS)
  })

  test('with create alone may not send, cancel or download', () => {
    const others: Permission[] = ['envelope:send', 'envelope:cancel', 'document:download']
    expect(others.map((permission) => holds(['envelope:create'], permission))).toEqual([false, false, false])
  })
})
