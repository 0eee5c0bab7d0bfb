// The first step of every entry point, for Node >= 20: installs the locked dependencies when they are missing or changed, and locates the
// pinned Node. Plain JavaScript without package imports, because nothing is installed yet.
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

/** Installs, after one line of output, unless this lock file is already installed. Throws with npm's last output on failure. */
export function ensureDependencies() {
  installWhenChanged()
  // npm may be configured to skip install scripts.
  patchPackages(MODULES)
}

function installWhenChanged() {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex')
  if (existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Installing dependencies (about 30 seconds)...')
  const strict = npm('ci')
  // `npm ci` rejects the lock file when a registry lacks some platforms' optional binaries; `npm install --no-save` installs the same
  // locked versions.
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
 * The folder in which the caller wrote relative paths. npm moves to the root of the package for a script, and names the folder in INIT_CWD;
 * elsewhere INIT_CWD may be that of a script that called this one.
 */
function callerFolder() {
  return process.cwd() === ROOT ? (process.env.INIT_CWD ?? ROOT) : process.cwd()
}

/** Runs a script in ROOT with the pinned Node and exits as it does; INIT_CWD is the folder of the caller. Forwards SIGTERM and SIGINT; the script's IPC channel closes when this process ends. */
export function handOver(args) {
  const parent = process.ppid
  const env = { ...process.env, INIT_CWD: callerFolder() }
  const child = spawn(NODE, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env, cwd: ROOT })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  // A killed npm cannot forward signals; its child notices the changed parent pid.
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
  watch.unref()
  child.on('error', (error) => fail(error))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
    clearInterval(watch)
  })
}

/** Runs a program with the pinned Node to its end. Throws with its last output on failure. */
export function runToEnd(args) {
  const result = spawnSync(NODE, args, { cwd: ROOT, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(lastLines(result.stdout + result.stderr))
}

/** Prints a one-line message and exits with code 1. */
export function fail(error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function lastLines(text) {
  return text.trim().split('\n').slice(-20).join('\n')
}

/** npm prints the error first and usage afterwards. */
function npmFaults(text) {
  const faults = text.split('\n').filter((line) => line.startsWith('npm error'))
  return (faults.length > 0 ? faults.slice(0, 12).join('\n') : lastLines(text)) || 'npm gave no reason'
}
