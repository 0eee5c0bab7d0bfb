import { describe, expect, test } from 'vitest'
import { MIN_PASSWORD_CHARACTERS, passwordError } from '../../../../../../api/pages/settings/forms/password-rules.ts'
import { isSetupAddress, takeSetupToken } from '../../../../../../api/pages/settings/setup/setup-token.ts'
import * as limits from '#core/limits.ts'

describe('the one-time link', () => {
  test('gives its token once and takes it out of the address', () => {
    const addresses: string[] = []
    const history = { replaceState: (_data: null, _unused: string, url: string) => void addresses.push(url) }
    expect(takeSetupToken({ hash: '#abc', pathname: '/settings/setup' }, history)).toBe('abc')
    expect(addresses).toEqual(['/settings/setup'])
    expect(takeSetupToken({ hash: '', pathname: '/settings/setup' }, history)).toBe('')
    expect(addresses).toHaveLength(1)
  })

  test.each([
    ['/settings/setup', true],
    ['/settings/setup/', true],
    ['/settings', false],
    ['/settings/setup/x', false],
  ])('at %s: %s', (pathname, isOne) => {
    expect(isSetupAddress({ pathname })).toBe(isOne)
  })
})

describe('a new password', () => {
  test('has the length that the service asks for', () => {
    expect(MIN_PASSWORD_CHARACTERS).toBe(limits.MIN_PASSWORD_CHARACTERS)
    expect(passwordError('ä'.repeat(limits.MIN_PASSWORD_CHARACTERS - 1))).toBeDefined()
    expect(passwordError('ä'.repeat(limits.MIN_PASSWORD_CHARACTERS))).toBeUndefined()
    expect(passwordError('a'.repeat(limits.MAX_PASSWORD_CHARACTERS))).toBeUndefined()
    expect(passwordError('a'.repeat(limits.MAX_PASSWORD_CHARACTERS + 1))).toBeDefined()
  })
})
