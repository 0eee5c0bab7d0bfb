// `npm start`: installs what is missing, builds the pages, and goes on under the pinned Node.
import { ensurePages } from './build-pages.mjs'
import { ensureDependencies, fail, handOver } from './prepare.mjs'

try {
  ensureDependencies()
  ensurePages()
  handOver(['hack/embedded/main.ts'])
} catch (error) {
  fail(error)
}
