import { CONSENT_VERSION, consentSentence } from '#core/envelope/ceremony/consent.ts'
import { describe, expect, test } from 'vitest'
import { failureFromAnswer, NETWORK_FAILURE } from '../../../../../api/pages/http/failure.ts'
import { chooseLanguage, textsIn } from '../../../../../api/pages/locales/choose-language.ts'
import { de } from '../../../../../api/pages/locales/de.ts'
import { en } from '../../../../../api/pages/locales/en.ts'
import { failureText } from '../../../../../api/pages/locales/failure-text.ts'

describe('the language', () => {
  test.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'DE'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr-FR', 'ja'], 'en'],
    [['constructor', ''], 'en'],
    [[], 'en'],
  ])('for %o is %s', (wanted, language) => {
    expect(chooseLanguage(wanted)).toBe(language)
  })

  test('has its texts', () => {
    expect([textsIn('de'), textsIn('en')]).toEqual([de, en])
  })
})

describe('what a signer agrees to', () => {
  test.each([
    ['en', en, 1],
    ['en', en, 3],
    ['de', de, 1],
    ['de', de, 3],
  ])('names the button in %s as the button is called', (language, { signature }, count) => {
    expect(consentSentence({ version: CONSENT_VERSION, language }, 'Ada', count)).toContain(signature.sign(count))
  })
})

/** Every sentence of a language by its path, functions called with arguments that show. */
function sentences(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object') return sentences(value, `${path}${key}.`)
    return [[path + key, typeof value === 'function' ? value(2, 3, 4) : value]]
  })
}

test('German says everything, and nothing in English', () => {
  const english = new Map(sentences(en))
  const german = sentences(de)
  expect(german.map(([path]) => path)).toEqual([...english.keys()])
  const same = german.filter(([path, text]) => english.get(path) === text).map(([path]) => path)
  expect(same).toEqual(['shared.product', 'shared.fromService'])
})

describe('what a person reads about a failure', () => {
  test('says when there was no answer', () => {
    expect(failureText(NETWORK_FAILURE, en)).toBe(en.failure.network)
  })

  test.each([
    [429, 'OTP_SEND_LIMIT', en.failure.byCode.OTP_SEND_LIMIT],
    [429, 'OTP_PAUSED', en.failure.byCode.OTP_PAUSED],
    [404, 'OTP_CHALLENGE_NOT_FOUND', en.failure.byCode.OTP_CHALLENGE_NOT_FOUND],
    [429, 'RATE_LIMITED', en.failure.tooManyRequests],
    [422, 'SIGNATURE_IMAGE_INVALID', en.failure.byCode.SIGNATURE_IMAGE_INVALID],
    [422, 'VIEW_REQUIRED', en.failure.byCode.VIEW_REQUIRED],
    [503, 'SERVICE_UNAVAILABLE', en.failure.busy],
    [429, 'QUOTA_EXCEEDED', en.failure.tooManyRequests],
    [502, '', en.failure.busy],
    [400, 'VALIDATION_FAILED', en.failure.unexpected],
    [500, '', en.failure.unexpected],
  ])('%d %s has its sentence', (status, code, sentence) => {
    expect(failureText(failureFromAnswer(status, { code }, null), en)).toBe(sentence)
  })
})
