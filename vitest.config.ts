// One project a layer. Projects that talk to servers start them once in a global set-up; each test file gets its own database.
import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 60_000, hookTimeout: 120_000 }
const postgres = 'test/support/postgres-server.ts'

// One suite for every way to run the service; a URL puts it to an installation that already runs (test/support/installations.ts).
const installations = process.env['SEALWRIGHT_TEST_URL']
  ? ['test/installation/given.test.ts']
  : ['test/installation/{embedded,split}.test.ts']

function project(name: string, options: object = {}) {
  return { test: { name, include: [`test/${name}/**/*.test.ts`], ...slow, ...options } }
}

export default defineConfig({
  test: {
    // Most tests wait for servers, browsers and other programs: two files at a time also on two cores.
    maxWorkers: 2,
    projects: [
      project('unit'),
      project('store', { globalSetup: postgres }),
      project('api', { globalSetup: postgres }),
      project('workers', { globalSetup: postgres }),
      project('races', { globalSetup: postgres }),
      project('storage', { globalSetup: 'test/support/s3-server.ts' }),
      project('nats', { globalSetup: 'test/support/nats-server.ts' }),
      project('hack'),
      project('contract', { globalSetup: postgres, testTimeout: 300_000 }),
      project('start', {
        globalSetup: [postgres, 'test/support/s3-server.ts', 'test/support/nats-server.ts'],
        testTimeout: 120_000,
      }),
      project('split', { testTimeout: 180_000 }),
      project('interop'),
      project('pages', { globalSetup: postgres }),
      project('e2e', { testTimeout: 300_000 }),
      project('installation', { include: installations, testTimeout: 120_000 }),
    ],
  },
})
