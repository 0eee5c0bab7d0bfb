// Validates signatures with poppler's pdfsig. It accepts later changes as valid, so callers also check wholeDocument.
import { runProgram } from '../clients/run-program.ts'

export interface PdfsigSignature {
  field: string
  subFilter: string
  /** "Signature is Valid.", "Digest Mismatch." etc. */
  validation: string
  valid: boolean
  wholeDocument: boolean
}

/** Every signature in the order of its form fields, without unsigned fields; none when pdfsig cannot read the file. */
export async function judgeWithPdfsig(file: string): Promise<PdfsigSignature[]> {
  // NOTE: never with -no-ocsp: poppler 22.12 then reports an error for every certificate.
  const { stdout } = await runProgram('pdfsig', [file])
  const blocks = stdout
    .toString('utf8')
    .split(/^Signature #\d+:$/m)
    .slice(1)
  const signed = blocks.filter((block) => !block.includes('The signature form field is not signed.'))
  return signed.map((block) => {
    const validation = readLine(block, 'Signature Validation')
    return {
      field: readLine(block, 'Signature Field Name'),
      subFilter: readLine(block, 'Signature Type'),
      validation,
      valid: validation === 'Signature is Valid.',
      wholeDocument: /^ +- Total document signed$/m.test(block),
    }
  })
}

function readLine(block: string, label: string): string {
  return new RegExp(`^ +- ${label}: (.*)$`, 'm').exec(block)?.[1]?.trim() ?? ''
}
