// Global set-up of the tests on kind: the image of this source, and a cluster that has it. The cluster stays for the next run; hack/kind/down.sh deletes it.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    image: string
    kindKubeconfig: string
    /** Holds kubectl and helm. */
    kindPrograms: string
  }
}

const run = promisify(execFile)
const CLUSTER = 'sealwright'
const IMAGE = 'sealwright:test'

export default async function setup(project: TestProject): Promise<void> {
  const programs = path.join(process.env['SEALWRIGHT_CACHE_DIR'] || path.join(homedir(), '.cache/sealwright'), 'bin')
  const [kubeconfig] = await Promise.all([lastLine('hack/kind/up.sh', CLUSTER), run('hack/tools/build.sh', [programs, 'helm'])])
  await lastLine('hack/image/build.sh', IMAGE)
  await run(path.join(programs, 'kind'), ['load', 'docker-image', IMAGE, '--name', CLUSTER])
  project.provide('image', IMAGE)
  project.provide('kindKubeconfig', kubeconfig)
  project.provide('kindPrograms', programs)
}

async function lastLine(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(script, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim().split('\n').at(-1) ?? ''
}
