// The name of a font without widths selects the standard font that replaces it.
import { standardWidth } from '#core/pdf/inspect/standard-widths.ts'
import { expect, test } from 'vitest'

const BRACE = 0x7b
const E_ACUTE = 0xe9

const CASES: [string, brace: number, eAcute: number][] = [
  ['Helvetica', 0.334, 0.556],
  ['Helvetica-Oblique', 0.334, 0.556],
  ['Helvetica-Bold', 0.389, 0.556],
  ['Arial,BoldItalic', 0.389, 0.556],
  ['Times-Roman', 0.48, 0.444],
  ['Times-Bold', 0.394, 0.444],
  ['Times-Italic', 0.4, 0.444],
  ['TimesNewRomanPS-BoldItalicMT', 0.348, 0.444],
  ['Courier', 0.6, 0.6],
  ['CourierNew-Bold', 0.6, 0.6],
  ['SomeSansSerif', 0.334, 0.556],
  ['', 0.334, 0.556],
]

test.each(CASES)('a font named "%s"', (name, brace, eAcute) => {
  const width = standardWidth(name)
  expect([width(BRACE), width(E_ACUTE)]).toEqual([brace, eAcute])
})
