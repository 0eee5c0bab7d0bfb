// Files as another organisation signs them with pyHanko.
import path from 'node:path'
import { runProgram } from '../clients/run-program.ts'
import { ensurePythonVenv } from '../servers/python-venv.ts'

export interface SigningJob {
  input: string
  output: string
  /** An existing signature field, or the name of a new one. */
  field?: string
  /** Of a new field on the first page; without it, the field is hidden. */
  box?: readonly [number, number, number, number]
  /** What the field shows. */
  text?: string
  /** Adds validation data for the first signature instead of signing. */
  validationData?: true
}

/** Signs the files with a new key for this common name. `folder` receives the key. */
export async function signWithPyhanko(commonName: string, folder: string, files: readonly SigningJob[]): Promise<void> {
  const [key, certificate] = [path.join(folder, 'other.key'), path.join(folder, 'other.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', `/CN=${commonName}`]
  await runOrThrow('openssl', [...request, '-addext', 'keyUsage=digitalSignature', '-keyout', key, '-out', certificate], '')
  const root = path.join(import.meta.dirname, '../judges/pyhanko')
  const python = await ensurePythonVenv('pyHanko', path.join(root, 'requirements.txt'))
  await runOrThrow(python, ['-I', path.join(root, 'sign.py')], JSON.stringify({ key, certificate, files }))
}

async function runOrThrow(program: string, args: readonly string[], input: string): Promise<void> {
  const { exitCode, stderr } = await runProgram(program, args, input)
  if (exitCode !== 0) throw new Error(`${program} failed: ${stderr.trim().split('\n').slice(-3).join(' ')}`)
}
