import { describe, expect, test } from 'vitest'
import { failureFromAnswer } from '../../../../../../api/pages/http/failure.ts'
import { de } from '../../../../../../api/pages/settings/locales/de.ts'
import { en } from '../../../../../../api/pages/settings/locales/en.ts'
import { formatDistance } from '../../../../../../api/pages/settings/locales/format.ts'
import { panelFailureText } from '../../../../../../api/pages/settings/locales/panel-failure-text.ts'
import { PANEL_ROUTES } from '../../../../../../api/routes/index.ts'

/** Every sentence of a language by its path, functions called with arguments that show. */
function sentences(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object') return sentences(value, `${path}${key}.`)
    if (typeof value !== 'function') return [[path + key, value]]
    const isStep = path.endsWith('.steps.')
    return [[path + key, isStep ? value({ actor: 'A', signer: 'B', document: 'C', subject: 'D' }) : String(value(2, 3, 4))]]
  })
}

describe("the panel's languages", () => {
  const english = sentences(en)
  const german = sentences(de)

  test('say the same things', () => {
    expect(german.map(([path]) => path).toSorted()).toEqual(english.map(([path]) => path).toSorted())
  })

  test('share no sentence but names and words that are the same in both', () => {
    const byPath = new Map(english)
    const same = german.filter(([path, text]) => byPath.get(path) === text).map(([, text]) => text)
    const names = ['Kubernetes', 'Kubernetes (2)', 'Kubernetes: 2', 'Sealwright', 'Webhook', 'Webhooks']
    const words = ['2: 3', 'Labels', 'Name', 'Organisation', 'Original', 'Status', '2']
    expect([...new Set(same)].toSorted()).toEqual([...names, ...words].toSorted())
  })

  test('have no empty sentence', () => {
    expect([...english, ...german].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

describe('a failed call', () => {
  // These have words where they arise: the countdown shows the waiting, and a file in another form is never asked for.
  const elsewhere = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'NOT_ACCEPTABLE']
  const codes = [...new Set(PANEL_ROUTES.flatMap((route) => route.errors))].filter((code) => !elsewhere.includes(code))

  test.each(codes)('with the code %s has a sentence of its own', (code) => {
    expect(Object.keys(en.errors.byCode)).toContain(code)
  })

  test('that is forbidden without a code says who may', () => {
    expect(panelFailureText(failureFromAnswer(403, undefined, null))).toBe(en.errors.forbidden)
  })

  test('with an unknown code says what its status means', () => {
    expect(panelFailureText(failureFromAnswer(503, { code: 'constructor' }, null))).toMatch(/busy/)
  })
})

describe('a point in time', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z')

  test.each([
    ['2026-11-21T11:59:50Z', 'just now'],
    ['2026-11-21T11:58:00Z', '2 minutes ago'],
    ['2026-11-21T09:00:01Z', '2 hours ago'],
    ['2026-11-20T11:00:00Z', 'yesterday'],
    ['2026-11-24T12:00:00Z', 'in 3 days'],
  ])('%s was %s', (at, words) => {
    expect(formatDistance(at, nowMs)).toBe(words)
  })

  test('long ago is shown by its day', () => {
    expect(formatDistance('2025-01-02T12:00:00Z', nowMs)).toContain('2025')
  })
})
