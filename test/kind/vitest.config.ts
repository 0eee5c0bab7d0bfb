// The image and the chart on a kind cluster: `npm run test:kind`. Needs root and builds the cluster's programs at the first run, which takes ten minutes.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/kind/*.test.ts'],
    globalSetup: 'test/support/servers/kind-cluster.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One cluster, and two cores.
    fileParallelism: false,
  },
})
