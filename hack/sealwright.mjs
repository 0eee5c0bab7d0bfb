#!/usr/bin/env node
// `npx sealwright COMMAND`: the commands of the image, run with the pinned Node.
import path from 'node:path'
import { ensureDependencies, fail, handOver, ROOT } from './prepare.mjs'

try {
  ensureDependencies()
  handOver([path.join(ROOT, 'hack', 'image', 'main.ts'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
