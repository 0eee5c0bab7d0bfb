// Runs a script of the project with the pinned Node: node hack/run.mjs SCRIPT [ARGUMENT...]
import { ensureDependencies, fail, handOver } from './prepare.mjs'

try {
  ensureDependencies()
  handOver(process.argv.slice(2))
} catch (error) {
  fail(error)
}
