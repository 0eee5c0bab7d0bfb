// The first half of `npm start`: installs what is missing and builds the pages. The script in package.json then goes on under the pinned Node,
// in the place of this process, so that signals reach the service itself.
import { ensurePages } from './build-pages.mjs'
import { ensureDependencies, fail } from './prepare.mjs'

try {
  ensureDependencies()
  ensurePages()
} catch (error) {
  fail(error)
}
