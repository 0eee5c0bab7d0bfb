import { describe, expect, test } from 'vitest'
import { contractRequirements, findGaps, readTests } from '../../../hack/contract-requirements.ts'

describe('the requirements of the contract', () => {
  test('each have a test, and every tag names a requirement', () => {
    expect(findGaps(readTests())).toEqual({ uncovered: [], unknown: [] })
  })

  test('of later issues concern webhooks, the split run, Kubernetes and time stamps', () => {
    const waiting = [...contractRequirements()].filter(([, later]) => later !== undefined).map(([id]) => id)
    const allowed =
      /webhook|^service-api\/delivery\/|^service-api\/limits\/(auto-disable|disabled-endpoint|secret rotation|delivery history)/
    const others = waiting.filter((id) => !allowed.test(id))
    expect(others).toEqual(['decisions/completion/envelope.completed', 'running/settings/time stamps'])
  })
})

describe('a tag', () => {
  const uncoveredBy = (text: string) => findGaps([['a.test.ts', text]])

  test('covers the requirement it names, several of them, or with a star a whole section', () => {
    const one = uncoveredBy("// requirements: decisions/links/OTP, decisions/envelopes/page, size\ntest('x', () => {})")
    expect(one.unknown).toEqual([])
    expect(one.uncovered).not.toContain('decisions/links/OTP')
    expect(one.uncovered).not.toContain('decisions/envelopes/page, size')
    expect(one.uncovered).toContain('decisions/links/OTP at rest')
    const section = uncoveredBy('  // requirements: service-api/page/*\n  test.each([\n')
    expect(section.uncovered.filter((id) => id.startsWith('service-api/page/'))).toEqual([])
  })

  test.each([
    ['of an unknown requirement', "// requirements: decisions/links/nothing\ntest('x')"],
    ['of a requirement of a later issue', "// requirements: running/settings/time stamps\ntest('x')"],
    ['without a test below it', '// requirements: decisions/links/OTP\nconst x = 1'],
    ['at the end of the file', '// requirements: decisions/links/OTP'],
  ])('%s is an error', (_name, text) => {
    expect(uncoveredBy(text).unknown).toHaveLength(1)
  })
})
