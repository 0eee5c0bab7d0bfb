import { describe, expect, test } from 'vitest'
import { listPdfjsFiles, pdfjsFolder } from '../../../../api/pages/pdfjs-files.ts'

describe('the files pdf.js loads by name', () => {
  const files = listPdfjsFiles()

  test('are its worker, a character map of each script, the standard fonts and the image decoders', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'legacy/build/pdf.worker.min.mjs',
        'cmaps/UniJIS-UCS2-H.bcmap',
        'cmaps/UniGB-UCS2-H.bcmap',
        'cmaps/UniCNS-UCS2-H.bcmap',
        'cmaps/UniKS-UCS2-H.bcmap',
        'standard_fonts/LiberationSans-Regular.ttf',
        'standard_fonts/FoxitSymbol.pfb',
        'wasm/openjpeg_nowasm_fallback.js',
        'wasm/jbig2_nowasm_fallback.js',
      ]),
    )
  })

  test('need no WebAssembly, which the policy forbids', () => {
    expect(files.filter((file) => file.endsWith('.wasm'))).toEqual([])
  })

  test('come with their licences', () => {
    expect(files.filter((file) => file.includes('LICENSE'))).toEqual(
      expect.arrayContaining([
        'standard_fonts/LICENSE_LIBERATION',
        'standard_fonts/LICENSE_FOXIT',
        'wasm/LICENSE_OPENJPEG',
        'wasm/LICENSE_JBIG2',
      ]),
    )
  })

  test('stand in a folder of their version, so that a browser may keep them', () => {
    expect(pdfjsFolder()).toMatch(/^assets\/pdfjs-\d+\.\d+\.\d+\/$/)
  })
})
