// schemathesis reads an API description, sends allowed and forbidden requests, and checks every response against it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FUZZ_SEED } from '../../builders/properties.ts'
import { ensurePythonVenv } from '../../servers/python-venv.ts'
import { runProgram } from '../../clients/run-program.ts'

export interface Fuzzing {
  /** The description's address. */
  url: string
  /** Credentials by security scheme. */
  credentials: Record<string, { bearer: string } | { api_key: string }>
  /** Existing path parameters, by operationId. */
  known: Record<string, Record<string, string>>
  /** operationIds to skip. */
  except: readonly string[]
  examples: number
}

// Two excluded checks guess: that a well-formed request succeeds, which a 422 refutes; and that a 404 after a creation concerns the new
// resource, although another id in the request may be unknown.
const CHECKS = '--checks all --exclude-checks positive_data_acceptance,ensure_resource_availability'
/** The same cases with the same seed, which its report prints. */
const REPEATABLE = `--seed ${FUZZ_SEED} --generation-deterministic --workers 1 --no-shrink`
const OPTIONS =
  `${CHECKS} ${REPEATABLE} --continue-on-failure --suppress-health-check all --warnings off --request-timeout 30`.split(' ')

/** Its findings as text; empty when every response was as described. Throws when it fails. */
export async function fuzz(fuzzing: Fuzzing): Promise<string> {
  const python = await ensurePythonVenv('schemathesis', path.join(import.meta.dirname, 'requirements.txt'))
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-schemathesis-'))
  try {
    const config = path.join(folder, 'schemathesis.toml')
    await writeFile(config, toToml(fuzzing), { mode: 0o600 })
    const except = fuzzing.except.flatMap((operationId) => ['--exclude-operation-id', operationId])
    const run = ['--config-file', config, 'run', fuzzing.url, '--max-examples', String(fuzzing.examples)]
    const args = ['-m', 'schemathesis.cli', '--no-color', ...run, ...OPTIONS, ...except]
    // It writes its findings to its working folder.
    const { exitCode, stdout, stderr } = await runProgram(python, args, '', { cwd: folder })
    const report = stdout.toString('utf8')
    if (exitCode !== 0 && exitCode !== 1) throw new Error(`schemathesis ended with ${exitCode}: ${stderr}${report.slice(-2_000)}`)
    if (!/\d+ generated/.test(report)) throw new Error(`schemathesis sent nothing: ${report.slice(-2_000)}`)
    return exitCode === 0 ? '' : report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// JSON strings are valid TOML.
function toToml({ credentials, known }: Fuzzing): string {
  const auth = Object.entries(credentials).flatMap(([scheme, credential]) => [
    `[auth.openapi.${scheme}]`,
    ...Object.entries(credential).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ])
  const operations = Object.entries(known).flatMap(([operationId, parameters]) => [
    '[[operations]]',
    `include-operation-id = ${JSON.stringify(operationId)}`,
    '[operations.parameters]',
    ...Object.entries(parameters).map(([name, value]) => `${JSON.stringify(`path.${name}`)} = ${JSON.stringify(value)}`),
  ])
  return [...auth, ...operations, ''].join('\n')
}
