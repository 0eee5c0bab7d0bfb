// Images of the kind cluster that differ from the one under test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject } from 'vitest'
import { runProgram } from './run-program.ts'

const MIGRATIONS = '/app/core/schema/migrations/'

/** Builds the image under test with one more migration and loads it into the cluster. */
export async function loadImageWithMigration(name: string, file: string, sql: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-next-'))
  try {
    await writeFile(path.join(folder, file), sql)
    await writeFile(path.join(folder, 'Dockerfile'), `FROM ${inject('image')}\nCOPY ${file} ${MIGRATIONS}\n`)
    await run('docker', 'build', '--quiet', '--tag', name, folder)
    await run(path.join(inject('kindPrograms'), 'kind'), 'load', 'docker-image', name, '--name', inject('kindCluster'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram(program, args)
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
}
