// Validates with pyHanko: coverage, changes since signing, DocMDP and the chain up to our root. One process for many files.
import path from 'node:path'
import { z } from 'zod'
import { ensurePythonVenv } from '../servers/python-venv.ts'
import { runProgram } from '../clients/run-program.ts'

const PyhankoSignature = z.object({
  field: z.string(),
  intact: z.boolean(),
  valid: z.boolean(),
  trusted: z.boolean(),
  coverage: z.enum(['UNCLEAR', 'CONTIGUOUS_BLOCK_FROM_START', 'ENTIRE_REVISION', 'ENTIRE_FILE']),
  modificationLevel: z.enum(['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS', 'OTHER']).nullable(),
  docMdpOk: z.boolean().nullable(),
  /** pyHanko's overall conclusion. */
  bottomLine: z.boolean(),
  summary: z.string(),
})

/** The signatures in signing order, or why pyHanko could not validate the file. */
const PyhankoVerdict = z.object({ signatures: z.array(PyhankoSignature), error: z.string().nullable() })
export type PyhankoVerdict = z.infer<typeof PyhankoVerdict>

/** One result per file, in order. `rootPem`: the path of the only trust anchor. Throws when pyHanko itself fails. */
export async function judgeWithPyhanko(files: readonly string[], rootPem: string): Promise<PyhankoVerdict[]> {
  const python = await ensurePythonVenv('pyHanko', path.join(import.meta.dirname, 'pyhanko/requirements.txt'))
  const script = path.join(import.meta.dirname, 'pyhanko/judge.py')
  const { exitCode, stdout, stderr } = await runProgram(python, ['-I', script], JSON.stringify({ root: rootPem, files }))
  if (exitCode !== 0) throw new Error(`pyHanko's script failed: ${stderr.trim().split('\n').at(-1)}`)
  return z.array(PyhankoVerdict).parse(JSON.parse(stdout.toString('utf8')))
}
