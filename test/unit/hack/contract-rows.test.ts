import { describe, expect, test } from 'vitest'
import { contractRows, faultsOf, readTests } from '../../../hack/contract-rows.ts'

describe('the rows of the contract', () => {
  test('have a test each, and every tag names a row', () => {
    expect(faultsOf(readTests())).toEqual({ uncovered: [], unknown: [] })
  })

  test('that wait for a later issue are those of webhooks, the split run, Kubernetes and time stamps', () => {
    const waiting = [...contractRows()].filter(([, later]) => later !== undefined).map(([id]) => id)
    const allowed =
      /webhook|^service-api\/delivery\/|^service-api\/limits\/(auto-disable|disabled-endpoint|secret rotation|delivery history)/
    const others = waiting.filter((id) => !allowed.test(id))
    expect(others).toEqual(['decisions/completion/envelope.completed', 'running/settings/time stamps', 'running/commands/key'])
  })
})

describe('a tag', () => {
  const uncoveredBy = (text: string) => faultsOf([['a.test.ts', text]])

  test('covers the row it names, a star a whole section, several at once', () => {
    const one = uncoveredBy("// rows: decisions/links/OTP, decisions/envelopes/page, size\ntest('x', () => {})")
    expect(one.unknown).toEqual([])
    expect(one.uncovered).not.toContain('decisions/links/OTP')
    expect(one.uncovered).not.toContain('decisions/envelopes/page, size')
    expect(one.uncovered).toContain('decisions/links/OTP at rest')
    const section = uncoveredBy('  // rows: service-api/page/*\n  test.each([\n')
    expect(section.uncovered.filter((id) => id.startsWith('service-api/page/'))).toEqual([])
  })

  test.each([
    ['of a row that is not there', "// rows: decisions/links/nothing\ntest('x')"],
    ['of a row of a later issue', "// rows: decisions/webhooks/probe\ntest('x')"],
    ['above no test', '// rows: decisions/links/OTP\nconst x = 1'],
    ['at the end', '// rows: decisions/links/OTP'],
  ])('%s is a fault', (_name, text) => {
    expect(uncoveredBy(text).unknown).toHaveLength(1)
  })
})
