import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { type ContentEnd, scanContent } from '#core/pdf/plan/content-scan.ts'

const BALANCED: ContentEnd = {
  surplusRestores: 0,
  restoreMatters: false,
  openSaves: 0,
  inText: false,
  inPath: false,
  openMarks: 0,
  truncated: false,
}

function scan(content: string): ContentEnd {
  return scanContent(Buffer.from(content, 'latin1'))
}

describe('content that leaves nothing open', () => {
  test.each([
    '',
    'q 1 0 0 1 5 5 cm BT /F1 12 Tf (text) Tj ET Q',
    '(q Q \\) q) Tj <71205120> Tj [(q) 5 <51>] TJ',
    '/q gs /Q Do %q Q\nn',
    'qq QQ q1 1q q_ Q.5',
    '/Span <</ActualText (q) /MCID 1>> BDC (a) Tj EMC',
    '0 0 m 10 10 l S 0 0 5 5 re W n',
    'BI /W 1 /H 1 /BPC 8 /CS /G ID q EI Q',
    'BI /W 9 ID \x00 EI\x00q Q q q q EI\nq Q',
    'q Q % not closed: q q q',
  ])('%j', (content) => {
    const surplus = content.includes('EI Q') ? { surplusRestores: 1 } : {}
    expect(scan(content)).toEqual({ ...BALANCED, ...surplus })
  })
})

describe('what is open at the end', () => {
  test.each<[string, Partial<ContentEnd>]>([
    ['q q Q q', { openSaves: 2 }],
    ['q\rq\nq\tq', { openSaves: 4 }],
    ['q Q Q Q', { surplusRestores: 2 }],
    ['Q q q', { surplusRestores: 1, openSaves: 2 }],
    ['BT (x) Tj', { inText: true }],
    ['0 0 m', { inPath: true }],
    ['0 0 5 5 re W', { inPath: true }],
    ['/P BMC /Q <<>> BDC', { openMarks: 2 }],
    ['EMC /P BMC', { openMarks: 1 }],
    ['(open', { truncated: true }],
    ['(open (nested)', { truncated: true }],
    ['<4142', { truncated: true }],
    ['BI /W 5 ID aEI q q\nEI Q', { surplusRestores: 1 }],
    ['[ (a) q', { truncated: true }],
    ['/P << /A 1', { truncated: true }],
    ['BI /W 1 ID xyz', { truncated: true }],
    [') } > ] >> q', { openSaves: 1 }],
  ])('of %j', (content, expected) => {
    expect(scan(content)).toEqual({ ...BALANCED, ...expected })
  })
})

describe('a surplus Q', () => {
  test.each([
    ['after everything', 'q 2 0 0 2 0 0 cm Q 2 0 0 2 0 0 cm (x) Tj Q', false],
    ['that undoes nothing', 'q 2 0 0 2 0 0 cm (x) Tj Q Q (y) Tj', false],
    ['that would undo a scale under later text', '2 0 0 2 0 0 cm Q (x) Tj', true],
    ['that would undo a colour under a later path', '1 0 0 rg Q 0 0 5 5 re f', true],
    ['that would undo a font under text in a later state', '/F1 9 Tf Q q BT (x) Tj ET Q', true],
    ['that would undo a scale under a later image', '9 0 0 9 0 0 cm Q BI /W 1 ID x EI ', true],
    ['that would undo a clip, when nothing is painted later', '0 0 5 5 re W n Q 1 w', false],
  ])('%s matters: %s', (_, content, matters) => {
    expect(scan(content).restoreMatters).toBe(matters)
  })
})

test('any bytes are scanned without an error', () => {
  const token = fc.constantFrom(
    'q',
    'Q',
    'BT',
    'ET',
    '(',
    ')',
    '<',
    '>',
    '<<',
    '>>',
    '[',
    ']',
    'BI',
    'ID',
    'EI',
    '%',
    '\n',
    ' ',
    '/',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.array(token).map((tokens) => Buffer.from(tokens.join(''))),
      ),
      (bytes) => {
        const { openSaves, surplusRestores } = scanContent(Buffer.from(bytes))
        expect(Math.min(openSaves, surplusRestores)).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})
