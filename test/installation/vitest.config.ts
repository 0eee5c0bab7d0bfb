// For an installation that already runs: `npm test -- --config test/installation/vitest.config.ts`. Its address and how to get in come from the environment.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/installation/given.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
