// The document of the check: one page with a place for a seal.

const TEXT = 'BT /F1 14 Tf 72 720 Td (Sealwright checks this installation.) Tj 0 -120 Td ({{signer1}}) Tj ET'

const OBJECTS = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  `<< /Length ${TEXT.length} >>\nstream\n${TEXT}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
]

/** The file; the same in each call. */
export function samplePdf(): Buffer {
  let file = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'
  const offsets = OBJECTS.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = OBJECTS.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  file += `${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
