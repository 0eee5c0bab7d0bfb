import { assertGoodPassword } from '#core/account/person/rules.ts'
import { describe, expect, test } from 'vitest'
import { answerOf, refusalOf } from '../../../../support/clients/answer-of.ts'

const EMAIL = 'kim.berg@example.test'

describe('a password', () => {
  test.each([
    'correct horse battery staple',
    'vier Wörter ohne Sinn',
    'tiny river 9 lamp',
    '日本語のパスワードですよね今日',
    'Xk7#pQ9!vR2$',
    '493827561029',
    'a password that is a sentence',
  ])('%j is accepted', (password) => {
    expect(answerOf(() => assertGoodPassword(password, { email: EMAIL }))).toBe(undefined)
  })

  test.each([
    ['too short', 'k3!f9$xq2#z'],
    ['too short once it is composed', 'e\u0301'.repeat(11)],
    ['too short, though long in UTF-16', '🖋'.repeat(11)],
    ['the e-mail address', EMAIL],
    ['the address in other letters', 'KIM.BERG@EXAMPLE.TEST'],
    ['the name in the address', 'kim.berg and more'],
    ['a common word with digits', 'password1234'],
    ['a common word with substituted characters', 'P@$$w0rd!!!!'],
    ['a common word twice', 'passwordpassword'],
    ['the name of the product', 'Sealwright-2026'],
    ['a few characters over and over', 'abc!abc!abc!abc!'],
    ['one character', 'xxxxxxxxxxxxxx'],
    ['counting', '123456789012'],
    ['counting down', '987654321098'],
    ['the alphabet', 'abcdefghijklm'],
    ['a row of keys', 'qwertyuiopas'],
    ['a column of keys', '1qaz2wsx3edc'],
    ['full-width letters of a common one', '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44\uff11\uff12\uff13\uff14'],
  ])('that is %s is refused', (_what, password) => {
    expect(answerOf(() => assertGoodPassword(password, { email: EMAIL }))).toBe('PASSWORD_TOO_WEAK')
  })

  test('may contain a short name by chance', () => {
    expect(answerOf(() => assertGoodPassword('thirteen islands', { email: 'is@example.test' }))).toBe(undefined)
  })

  test('is refused with a reason that does not contain the password', () => {
    const { message } = refusalOf(() => assertGoodPassword('short', { email: EMAIL }))
    expect(message).toBe('The password must have at least 12 characters.')
    expect(refusalOf(() => assertGoodPassword('passwordpassword', { email: EMAIL })).message).not.toContain('passwordpassword')
  })
})
