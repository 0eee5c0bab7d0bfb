import { describe, expect, test } from 'vitest'
import { codesToCheck, idsToCheck, worthShowing } from '../../../../../api/pages/verify/verification.ts'

function aFile(...signatureIds: string[]) {
  return { name: 'lease.pdf', sha256: 'ab'.repeat(32), signatureIds, printedCodes: new Map([['ada', 'code']]) }
}

function aVerdict(id: string, valid: boolean) {
  return { id, result: { valid, message: '' } }
}

describe('the IDs to ask about', () => {
  test('are the known one first, then those of the file, each once', () => {
    expect(idsToCheck(aFile('a', 'b'), 'b')).toEqual(['b', 'a'])
    expect(idsToCheck(aFile('a', 'b'), undefined)).toEqual(['a', 'b'])
  })

  test('stay below the checks a visitor may make in a minute', () => {
    const many = Array.from({ length: 500 }, (_, index) => String(index))
    expect(idsToCheck(aFile(...many), undefined).length).toBeLessThan(30)
  })
})

describe('shown of the verdicts', () => {
  test('is every valid one, and no number that was no signature', () => {
    const verdicts = [aVerdict('invoice', false), aVerdict('ada', true), aVerdict('ben', true)]
    expect(worthShowing(verdicts).map(({ id }) => id)).toEqual(['ada', 'ben'])
  })

  test('is a refusal before every success', () => {
    const onRecord = { valid: true, message: '', signerName: 'Ada' }
    const other = { ...aVerdict('other', false), onRecord }
    const revoked = { id: 'revoked', result: { valid: false, message: '', signerName: 'Ben' } }
    const verdicts = [aVerdict('invoice', false), aVerdict('ada', true), other, revoked]
    expect(worthShowing(verdicts).map(({ id }) => id)).toEqual(['other', 'revoked', 'ada'])
  })

  test('is one refusal when none is valid', () => {
    expect(worthShowing([aVerdict('a', false), aVerdict('b', false)]).map(({ id }) => id)).toEqual(['a'])
  })
})

test('a code is asked about only for a refused ID that the service did not know', () => {
  const [ada, ben] = [aVerdict('ada', false), aVerdict('ben', false)]
  expect(codesToCheck([ada, ben], aFile('ada', 'ben'))).toEqual([{ verdict: ada, code: 'code' }])
  expect(codesToCheck([aVerdict('ada', true)], aFile('ada'))).toEqual([])
})
