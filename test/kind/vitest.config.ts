// `npm run test:kind`: the image alone, and the chart with it on a kind cluster. Needs root; the first run builds the cluster's programs, which takes ten
// minutes. `-- --project image` needs no cluster.
import { defineConfig } from 'vitest/config'

const image = 'test/support/servers/built-image.ts'
const cluster = 'test/support/servers/kind-cluster.ts'
// One cluster, and two cores.
const slow = { testTimeout: 600_000, hookTimeout: 600_000, fileParallelism: false }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'image', include: ['test/kind/image/*.test.ts'], globalSetup: image, ...slow } },
      { test: { name: 'cluster', include: ['test/kind/cluster/*.test.ts'], globalSetup: [image, cluster], ...slow } },
    ],
  },
})
