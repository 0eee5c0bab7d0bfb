import { describe, expect, test } from 'vitest'
import { chargeDecoded, chargeParsed, decodingAllowance, newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { refusalOf } from '../../../support/judges/open-pdf.ts'

const budget = () => newBudget({ ...PDF_LIMITS, streamBytes: 60, decodedBytes: 100, parsedBytes: 100 })

describe('a budget', () => {
  test('allows a filter the limit per stream, but never more than what is left', () => {
    const spent = budget()
    expect(decodingAllowance(spent)).toBe(60)
    chargeDecoded(spent, 60)
    expect(decodingAllowance(spent)).toBe(40)
  })

  test('can be used to the last byte and not beyond', () => {
    const spent = budget()
    expect(refusalOf(() => chargeDecoded(spent, 100))).toBe('accepted')
    expect(refusalOf(() => chargeDecoded(spent, 1))).toBe('DOCUMENT_TOO_COMPLEX: its decompressed data is too large')
    expect(refusalOf(() => chargeParsed(spent, 100))).toBe('accepted')
    expect(refusalOf(() => chargeParsed(spent, 1))).toBe('DOCUMENT_TOO_COMPLEX: reading its objects takes too long')
  })
})

test('the limits of uploads are the documented ones', () => {
  expect(PDF_LIMITS).toMatchObject({
    pages: 5_000,
    objects: 200_000,
    pageTreeDepth: 64,
    decodedBytes: 268_435_456,
    streamBytes: 67_108_864,
    filters: 4,
  })
})
