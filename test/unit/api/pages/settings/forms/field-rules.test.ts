import { describe, expect, test } from 'vitest'
import { emailError, nameError } from '../../../../../../api/pages/settings/forms/field-rules.ts'
import { Email, text } from '../../../../../../api/schemas/text.ts'

describe('what a form finds wrong itself', () => {
  test.each(['Ada', ' Ada ', 'ß'.repeat(255), '👩‍🚀', 'x'.repeat(256)])(
    'in the name %j is no more than the service does',
    (name) => {
      expect(nameError(name) === undefined).toBe(text(255).safeParse(name).success)
    },
  )

  test('is a name of nothing but blanks', () => {
    expect([nameError(''), nameError('  ')]).not.toContain(undefined)
  })

  test.each([
    'ada@example.test',
    'a.b+c@sub.example.org',
    'grüße@bücher.example',
    'ada',
    'ada@',
    '@example.test',
    'ada@example',
    'a b@example.test',
    '',
  ])('in the address %j agrees with the service', (email) => {
    expect(emailError(email) === undefined).toBe(Email.safeParse(email).success)
  })
})
