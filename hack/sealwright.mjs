#!/usr/bin/env node
// `npx sealwright COMMAND`: the command line, run with the pinned Node.
import path from 'node:path'
import { ensureDependencies, fail, handOver, ROOT } from './prepare.mjs'

try {
  ensureDependencies()
  handOver([path.join(ROOT, 'api', 'cli', 'main.ts'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
