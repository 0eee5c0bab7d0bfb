// One project per layer. Projects with servers start them once in a global set-up; each test file gets its own database.
import { defineConfig } from 'vitest/config'
import { BalancedSequencer } from './test/support/balanced-sequencer.ts'

// Generous, because the machine may be busy: only a condition that never holds is a failure.
const slow = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } }
// The files of these layers share loaded modules, which saves 20 % of their CPU time. Not possible where files mock modules or count
// process-wide effects.
const shared = { isolate: false }
const alone = ['api/ceremony-statements', 'api/equal-work', 'workers/metrics', 'workers/statements'].map(
  (file) => `test/${file}.test.ts`,
)
const postgres = 'test/support/servers/postgres-server.ts'
const built = 'test/support/servers/built-servers.ts'

function project(name: string, options: object = {}) {
  return {
    test: { name, include: [`test/${name}/**/*.test.ts`], setupFiles: 'test/support/processor-time.ts', ...slow, ...options },
  }
}

export default defineConfig({
  test: {
    // Most tests wait for servers, browsers and other programs: four files at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: BalancedSequencer },
    projects: [
      project('unit'),
      project('store', { globalSetup: postgres, ...shared }),
      project('api', { globalSetup: postgres, exclude: alone, ...shared }),
      project('workers', { globalSetup: postgres, exclude: alone, ...shared }),
      project('alone', { globalSetup: postgres, include: alone }),
      project('races', { globalSetup: postgres, testTimeout: 180_000, ...shared }),
      project('storage', { globalSetup: 'test/support/servers/s3-server.ts' }),
      project('nats', { globalSetup: 'test/support/servers/nats-server.ts' }),
      project('hack'),
      project('contract', { globalSetup: postgres, testTimeout: 300_000, ...shared }),
      project('start', {
        globalSetup: [postgres, 'test/support/servers/s3-server.ts', 'test/support/servers/nats-server.ts'],
        testTimeout: 300_000,
      }),
      project('kills', { globalSetup: built, testTimeout: 180_000 }),
      project('split', { globalSetup: built, testTimeout: 180_000 }),
      project('interop'),
      project('pages', { globalSetup: postgres, ...shared }),
      project('e2e', { testTimeout: 300_000 }),
      project('installation', {
        globalSetup: built,
        include: ['test/installation/{embedded,split}.test.ts'],
        testTimeout: 120_000,
      }),
    ],
  },
})
