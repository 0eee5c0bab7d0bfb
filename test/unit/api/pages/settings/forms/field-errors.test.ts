import { describe, expect, test } from 'vitest'
import { failureFromAnswer, NETWORK_FAILURE } from '../../../../../../api/pages/http/failure.ts'
import { fieldErrorsOf, mergeErrors } from '../../../../../../api/pages/settings/forms/field-errors.ts'

function refused(message: string) {
  return failureFromAnswer(400, { code: 'VALIDATION_FAILED', message }, null)
}

describe('the errors of a refused form', () => {
  test('are found by field, the first of each, also where they lie deeper', () => {
    const failure = refused('name: must not be empty; workspaces.0.permissions.1: Invalid option; name: must be text')
    expect(fieldErrorsOf(failure)).toEqual({
      name: { text: 'must not be empty.', isEnglish: true },
      workspaces: { text: 'Invalid option.', isEnglish: true },
    })
  })

  test.each([
    ['no answer', NETWORK_FAILURE],
    ['another code', failureFromAnswer(409, { code: 'EMAIL_TAKEN', message: 'email: taken' }, null)],
    ['no field', refused('The body is no object')],
    ['no message', failureFromAnswer(400, { code: 'VALIDATION_FAILED' }, null)],
    ['nothing', undefined],
  ])('are none for %s', (_name, failure) => {
    expect(fieldErrorsOf(failure)).toEqual({})
  })

  test("give way to the form's own words", () => {
    expect(mergeErrors({ name: 'Bitte ausfüllen.', email: undefined }, refused('name: must not be empty; email: bad'))).toEqual({
      name: { text: 'Bitte ausfüllen.', isEnglish: false },
      email: { text: 'bad.', isEnglish: true },
    })
  })
})
