// Starts processes with one setting or dependency broken and records output and exit code.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { testDatabase, type TestDatabase } from '../servers/test-database.ts'
import { type Environment, runTier } from '../servers/tier-process.ts'
import { validSettings } from '../servers/valid-settings.ts'

export const API = ['api/main.ts']
export const CONTROLLER = ['controller/main.ts']
export const RELAY = ['workers/main.ts', 'relay']
export const SEAL = ['workers/main.ts', 'seal']
export const EMBEDDED = ['hack/embedded/main.ts']

export interface MisconfiguredStarts extends AsyncDisposable {
  folder: string
  database: TestDatabase
  /** Settings with which every process starts. */
  valid: Environment
  /** How a process exits when some settings are changed. */
  ending: (command: readonly string[], changed: Environment) => Promise<{ code: number | null; words: string[] }>
}

/** With a separate database, bucket and folder. */
export async function misconfiguredStarts(): Promise<MisconfiguredStarts> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-start-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const database = stack.use(await testDatabase())
  const valid = await validSettings(database.url, folder)
  const running = stack.move()
  return {
    folder,
    database,
    valid,
    ending: (command, changed) => runTier(command, { ...valid, ...changed }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Expects exit code 1 and one sentence, without a stack or other output. */
export function says(sentence: RegExp) {
  return { code: 1, words: [expect.stringMatching(sentence)] }
}
