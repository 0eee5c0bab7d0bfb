import { describe, expect, test } from 'vitest'
import { emailFault, nameFault } from '../../../../../../api/pages/settings/forms/field-rules.ts'
import { Email, text } from '../../../../../../api/schemas/text.ts'

describe('what a form finds wrong itself', () => {
  test.each(['Ada', ' Ada ', 'ß'.repeat(255), '👩‍🚀', 'x'.repeat(256)])(
    'in the name %j is no more than the service does',
    (name) => {
      expect(nameFault(name) === undefined).toBe(text(255).safeParse(name).success)
    },
  )

  test('is a name of nothing but blanks', () => {
    expect([nameFault(''), nameFault('  ')]).not.toContain(undefined)
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
    expect(emailFault(email) === undefined).toBe(Email.safeParse(email).success)
  })
})
