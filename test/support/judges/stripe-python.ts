// Verifies webhook requests with Stripe's Python library, which has its own parser and its own HMAC. One process for many requests.
import path from 'node:path'
import { z } from 'zod'
import { runProgram } from '../clients/run-program.ts'
import { ensurePythonVenv } from '../servers/python-venv.ts'

export interface SignedRequest {
  body: string
  header: string
  secret: string
}

/** For each request the type of its event, or why the library refused it. Throws when the library itself fails. */
export async function verifyWithStripePython(requests: readonly SignedRequest[]): Promise<string[]> {
  const python = await ensurePythonVenv('stripe', path.join(import.meta.dirname, 'stripe/requirements.txt'))
  const input = requests.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body).toString('base64') }))
  const script = path.join(import.meta.dirname, 'stripe/verify.py')
  const { exitCode, stdout, stderr } = await runProgram(python, ['-I', script], JSON.stringify(input))
  if (exitCode !== 0) throw new Error(`The script with Stripe's library failed: ${stderr.trim().split('\n').at(-1)}`)
  return z.array(z.string()).parse(JSON.parse(stdout.toString('utf8')))
}
