// What every entry of the project does first, with any Node >= 20: install the locked dependencies when they are missing or changed,
// and say where the pinned Node is. Plain JavaScript without imports from packages: nothing is installed yet when it runs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { patchPackages } from './patch-packages.mjs'

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const MODULES = path.join(ROOT, 'node_modules')
const STAMP = path.join(MODULES, '.installed-lock')
const NODE = path.join(MODULES, 'node', 'bin', 'node')

/** Installs when the lock file is not the one last installed; one line says so. Throws with npm's last words when it fails. */
export function ensureDependencies() {
  installWhenChanged()
  // Also where npm was told to run no scripts.
  patchPackages(MODULES)
}

function installWhenChanged() {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex')
  if (existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Installing dependencies (about 30 seconds)...')
  const strict = npm('ci')
  // A registry that has not mirrored every platform's optional binaries yet makes `npm ci` call the lock file incomplete; an install that
  // saves nothing takes the very same locked versions.
  const installed = strict.status !== 0 && strict.stderr.includes('Missing:') ? npm('install', '--no-save') : strict
  if (installed.status !== 0) {
    throw new Error(`npm could not install the dependencies:\n${installed.error?.message ?? npmFaults(installed.stderr)}`)
  }
  if (!existsSync(NODE))
    throw new Error('The package "node" is not installed for this platform. Allow its install script and run npm ci.')
  writeFileSync(STAMP, digest)
}

function npm(...args) {
  return spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: ROOT, encoding: 'utf8' })
}

/**
 * Runs a script under the pinned Node and ends as it ends. SIGTERM and SIGINT are passed on, and the script learns over its IPC channel
 * when this process is gone.
 */
export function handOver(args, environment = process.env) {
  const parent = process.ppid
  const child = spawn(NODE, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment, cwd: ROOT })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  // npm killed outright cannot pass a signal on; its child sees that it has a new parent.
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
  watch.unref()
  child.on('error', (error) => fail(error))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
    clearInterval(watch)
  })
}

/** Runs a program under the pinned Node to its end. Throws with its last words when it fails. */
export function runToEnd(args) {
  const result = spawnSync(NODE, args, { cwd: ROOT, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(lastLines(result.stdout + result.stderr))
}

/** One sentence for a person, exit code 1. */
export function fail(error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function lastLines(text) {
  return text.trim().split('\n').slice(-20).join('\n')
}

/** npm says what is wrong first, and then how to use npm. */
function npmFaults(text) {
  const faults = text.split('\n').filter((line) => line.startsWith('npm error'))
  return (faults.length > 0 ? faults.slice(0, 12).join('\n') : lastLines(text)) || 'npm gave no reason'
}
