// Fixes of pinned packages that are not released yet: applied after every installation, refused for another version.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { POSTGRES_CORRECTIONS } from './postgres-corrections.mjs'

// Without it, Node loads 350 modules for pdf-lib, each compiled twice to find out its format: 0.3 s of processor time for every thread that draws.
// The package contains the same code as one module.
const ONE_MODULE = ['pdf-lib/package.json', '"import": "./es/index.js"', '"import": "./dist/pdf-lib.esm.js"']
/** The types stay CommonJS. */
const MODULE_TYPE = { file: 'pdf-lib/dist/package.json', text: '{ "type": "module" }\n' }

const CHANGES = [ONE_MODULE, ...POSTGRES_CORRECTIONS.flatMap(({ changes }) => changes)]

/** Applies missing fixes under the folder of packages. Throws a one-line message when a package is not the version that a fix is for. */
export function patchPackages(modules) {
  const added = path.join(modules, MODULE_TYPE.file)
  if (!existsSync(added)) replaceFile(added, MODULE_TYPE.text)
  for (const file of new Set(CHANGES.map(([name]) => name))) {
    const target = path.join(modules, file)
    const found = readFileSync(target, 'utf8')
    const changes = CHANGES.filter(([name]) => name === file)
    const patched = changes.reduce((text, [, before, after]) => patch(text, before, after, file), found)
    if (patched !== found) replaceFile(target, patched)
  }
}

/** Replaces the file by renaming, because other folders of packages may have links to the file, and a process may be reading it. */
function replaceFile(file, text) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
}

function patch(text, before, after, file) {
  if (text.includes(after)) return text
  if (text.split(before).length !== 2) throw new Error(`The patch of node_modules/${file} does not apply to this version.`)
  return text.replace(before, () => after)
}

// npm runs it like this after an installation.
if (process.argv[1] === fileURLToPath(import.meta.url)) patchPackages(path.resolve(import.meta.dirname, '..', 'node_modules'))
