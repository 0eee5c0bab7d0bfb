// The first half of `npm start`: installs missing dependencies and builds the pages. The script in package.json then replaces this process
// (exec) with the pinned Node, so that signals reach the service directly.
import { ensurePages } from './build-pages.mjs'
import { ensureDependencies, fail } from './prepare.mjs'

try {
  ensureDependencies()
  ensurePages()
} catch (error) {
  fail(error)
}
