// Validates a file's structure with qpdf and MuPDF, and extracts its text with poppler.
import { runProgram } from '../clients/run-program.ts'

export interface StructureVerdict {
  clean: boolean
  /** Errors and warnings as printed; empty if clean. */
  complaints: string
}

/** `qpdf --check`: clean means neither an error nor a warning. */
export async function checkWithQpdf(file: string): Promise<StructureVerdict> {
  const { exitCode, stderr } = await runProgram('qpdf', ['--check', file])
  return { clean: exitCode === 0, complaints: stderr.trim() }
}

/** `mutool sign -v`: its line per signature, e.g. "The document is unchanged since signing." */
export async function describeWithMutool(file: string): Promise<string[]> {
  const { stdout } = await runProgram('mutool', ['sign', '-v', file])
  const lines = stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => line.startsWith('The document ') || line.startsWith('The signature '))
}

/** All text in reading order, white space collapsed. */
export async function extractText(file: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram('pdftotext', ['-q', file, '-'])
  if (exitCode !== 0) throw new Error(`pdftotext cannot read the file: ${stderr.trim()}`)
  return stdout.toString('utf8').replaceAll(/\s+/g, ' ')
}
