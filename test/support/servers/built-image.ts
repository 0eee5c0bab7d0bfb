// Global set-up of the tests of the image: built from this source and imported into the Docker engine. SEALWRIGHT_TEST_IMAGE names another one, which is not built.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    image: string
  }
}

const run = promisify(execFile)
const IMAGE = 'sealwright:test'

export default async function setup(project: TestProject): Promise<void> {
  const given = process.env['SEALWRIGHT_TEST_IMAGE']
  if (!given) {
    await run('hack/kind/docker-up.sh')
    await run('hack/image/build.sh', [IMAGE], { maxBuffer: 64 * 1024 * 1024 })
  }
  project.provide('image', given ?? IMAGE)
}
