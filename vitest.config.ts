// One project per layer. Projects with servers start them once in a global set-up; each test file gets its own database.
import { defineConfig } from 'vitest/config'
import { BalancedSequencer } from './test/support/balanced-sequencer.ts'

// What is polled for comes when the machine gets round to it: only that it never comes is a failure.
// A long run tries many times the cases.
// oxlint-disable-next-line node/no-process-env -- of the tests, not of the product
const patience = Math.max(1, Number(process.env['FUZZ_FACTOR'] ?? 1))
const slow = { testTimeout: 60_000 * patience, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } }
// The files of these layers share the modules that they load, which takes a fifth off their processor time. Not where files replace modules, nor those
// that count what the whole process does.
const shared = { isolate: false }
const alone = ['api/ceremony-statements', 'api/equal-work', 'workers/metrics', 'workers/statements'].map(
  (file) => `test/${file}.test.ts`,
)
const postgres = 'test/support/servers/postgres-server.ts'
const built = 'test/support/servers/built-servers.ts'
const chartTools = 'test/support/servers/chart-tools.ts'

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
      project('kubernetes', {
        globalSetup: [postgres, built, chartTools, 'test/support/servers/kube-server.ts'],
        setupFiles: ['test/support/processor-time.ts', 'test/support/servers/kube-ready.ts'],
      }),
      project('chart', { globalSetup: chartTools, ...shared }),
      project('hack'),
      project('contract', { globalSetup: postgres, testTimeout: 300_000 * patience, ...shared }),
      project('start', {
        globalSetup: [postgres, 'test/support/servers/s3-server.ts', 'test/support/servers/nats-server.ts'],
        testTimeout: 300_000,
      }),
      project('kills', { globalSetup: built, testTimeout: 180_000 }),
      project('split', { globalSetup: built, testTimeout: 180_000 }),
      project('interop', { globalSetup: postgres }),
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
