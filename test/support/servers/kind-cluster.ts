// Global set-up of the tests on kind: a cluster with the image and those of the servers of an evaluation. It stays for the next run; hack/kind/down.sh deletes it.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { describeNotRun } from '../../kind/not-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kindKubeconfig: string
    /** The name that kind knows. */
    kindCluster: string
    /** Holds kubectl and helm. */
    kindPrograms: string
  }
}

const run = promisify(execFile)
const CLUSTER = 'sealwright'
const IMAGE = process.env['SEALWRIGHT_TEST_IMAGE'] || 'sealwright:test'

/** Returns what is called at the end of the run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const programs = path.join(process.env['SEALWRIGHT_CACHE_DIR'] || path.join(homedir(), '.cache/sealwright'), 'bin')
  const [kubeconfig = ''] = (await lines('hack/kind/up.sh', CLUSTER)).slice(-1)
  await run('hack/tools/build.sh', [programs, 'helm', 'kubectl'])
  const servers = await lines('hack/kind/server-images.sh')
  for (const image of [IMAGE, ...servers])
    await run(path.join(programs, 'kind'), ['load', 'docker-image', image, '--name', CLUSTER])
  project.provide('kindKubeconfig', kubeconfig)
  project.provide('kindCluster', CLUSTER)
  project.provide('kindPrograms', programs)
  return () => console.log(`\n${describeNotRun()}`)
}

async function lines(script: string, ...args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(script, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim().split('\n')
}
