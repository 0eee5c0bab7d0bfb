// Builds the pages when their sources have changed. Plain JavaScript, because the first start runs it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runToEnd } from './prepare.mjs'

const PAGES = path.join(ROOT, 'api', 'pages')
const STAMP = path.join(PAGES, 'dist', '.built-from')

/** Builds the pages if needed. Throws with the builder's last output when that fails. */
export function ensurePages() {
  const digest = sourceDigest()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Building the pages (a few seconds)...')
  runToEnd(['node_modules/vite/bin/vite.js', 'build', '--config', 'api/pages/vite.config.ts', '--logLevel', 'error'])
  writeFileSync(STAMP, digest)
}

function sourceDigest() {
  const hash = createHash('sha256').update(readFileSync(path.join(ROOT, 'package-lock.json')))
  for (const file of readdirSync(PAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !path.join(entry.parentPath, '/').includes(`${path.sep}dist${path.sep}`))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(path.relative(PAGES, file)).update('\0').update(readFileSync(file))
  }
  return hash.digest('hex')
}
