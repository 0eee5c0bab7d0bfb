import { describe, expect, test } from 'vitest'
import { findRevisionEnds } from '../../../../../api/pages/verify/earlier-revisions.ts'
import { codesToCheck, idsToCheck, revisionsToCheck, worthShowing } from '../../../../../api/pages/verify/verification.ts'

const SEALED = { bytes: 300, sha256: 'cd'.repeat(32), laterSignatures: 1 }

function aFile(...signatureIds: string[]) {
  const printedCodes = new Map([['ada', 'code']])
  return { name: 'lease.pdf', sha256: 'ab'.repeat(32), signatureIds, printedCodes, revisions: [SEALED], content: new Blob([]) }
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

describe('a file that others signed later', () => {
  const text = '/ByteRange[0 10 20 280] ... /ByteRange [ 0 310 320 180 ] ... /ByteRange[0 1 2 9999]'

  test('begins with what each earlier signature covers', () => {
    expect(findRevisionEnds(text, 500)).toEqual([{ bytes: 300, laterSignatures: 1 }])
    expect(findRevisionEnds(text.slice(0, 30), 500)).toEqual([])
    expect(findRevisionEnds(text.slice(0, 30), 300)).toEqual([])
  })

  test('is asked about for each refused ID, a few times', () => {
    const ada = aVerdict('ada', false)
    expect(revisionsToCheck([ada, aVerdict('ben', true)], aFile('ada', 'ben'))).toEqual([{ verdict: ada, revision: SEALED }])
    const many = Array.from({ length: 20 }, (_, index) => aVerdict(String(index), false))
    expect(revisionsToCheck(many, aFile())).toHaveLength(6)
  })

  test('is shown after a refusal and before a success', () => {
    const extended = { ...aVerdict('extended', true), sealedPart: SEALED }
    const revoked = { id: 'revoked', result: { valid: false, message: '', signerName: 'Ben' } }
    expect(worthShowing([aVerdict('ada', true), extended, revoked]).map(({ id }) => id)).toEqual(['revoked', 'extended', 'ada'])
  })
})

test('a code is asked about only for a refused ID that the service did not know', () => {
  const [ada, ben] = [aVerdict('ada', false), aVerdict('ben', false)]
  expect(codesToCheck([ada, ben], aFile('ada', 'ben'))).toEqual([{ verdict: ada, code: 'code' }])
  expect(codesToCheck([aVerdict('ada', true)], aFile('ada'))).toEqual([])
})
