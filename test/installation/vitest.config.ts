// For a running installation: `npm test -- --config test/installation/vitest.config.ts`. Address and credentials come from the environment.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/installation/given.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
