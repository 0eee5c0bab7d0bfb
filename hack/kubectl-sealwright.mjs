#!/usr/bin/env node
// `kubectl sealwright COMMAND`: the plugin of kubectl, run with the pinned Node.
import path from 'node:path'
import { ensureDependencies, fail, handOver, ROOT } from './prepare.mjs'

try {
  ensureDependencies()
  handOver([path.join(ROOT, 'controller', 'kubectl', 'main.ts'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
