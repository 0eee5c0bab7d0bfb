// Virtual environments of Python tools: created once per set of pinned requirements and Python version, then reused.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { runProgram } from '../clients/run-program.ts'

const READY_MARK = 'sealwright-ready'

/**
 * The path of a Python that can import `tool`. The first call on a machine installs it (needs a package index, about 20 s) under
 * SEALWRIGHT_CACHE_DIR or ~/.cache/sealwright after one line of output; concurrent calls are safe. `requirements`: the file that pins it
 * and its dependencies, with hashes.
 */
export async function ensurePythonVenv(tool: string, requirements: string): Promise<string> {
  const version = await runProgram('python3', ['--version'])
  const key = createHash('sha256')
    .update(await readFile(requirements))
    .update(version.stdout)
    .digest('hex')
    .slice(0, 12)
  const cache = process.env.SEALWRIGHT_CACHE_DIR ?? path.join(homedir(), '.cache/sealwright')
  const folder = path.join(cache, `${tool.toLowerCase()}-${key}`)
  const python = path.join(folder, 'bin/python')
  if (!isReady(folder)) await buildVenv(tool, requirements, folder)
  return python
}

function isReady(folder: string): boolean {
  return existsSync(path.join(folder, READY_MARK)) && existsSync(path.join(folder, 'bin/python'))
}

async function buildVenv(tool: string, requirements: string, folder: string): Promise<void> {
  console.log(`Installing ${tool} into a virtual environment ...`)
  await mkdir(path.dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}.`)
  try {
    await runOrThrow('python3', ['-m', 'venv', draft])
    const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet', 'install', '--require-hashes', '--only-binary', ':all:']
    await runOrThrow(path.join(draft, 'bin/python'), [...pip, '--requirement', requirements])
    await writeFile(path.join(draft, READY_MARK), '')
    await publish(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

// A venv locates itself by the path of bin/python, so it can be renamed; a later caller keeps the first one's.
async function publish(draft: string, folder: string): Promise<void> {
  if (!isReady(folder)) await rm(folder, { recursive: true, force: true })
  try {
    await rename(draft, folder)
  } catch (error) {
    if (!isReady(folder)) throw error
  }
}

async function runOrThrow(program: string, args: readonly string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runProgram(program, args)
  if (exitCode === 0) return
  const lastLines = `${stdout.toString('utf8')}${stderr}`.trim().split('\n').slice(-5).join('\n')
  throw new Error(`${path.basename(program)} ${args.slice(0, 2).join(' ')} failed:\n${lastLines}`)
}
