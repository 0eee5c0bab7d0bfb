// The Debian packages that tests need: third-party PDF tools as validators, a browser for the pages. Plain JavaScript for Node >= 20,
// because it runs before the installation. The product never needs them.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/** Each package's purpose and how to detect it: a program on the PATH, or a check of its own. */
export const SYSTEM_PACKAGES = [
  { name: 'chromium-headless-shell', program: 'chromium-headless-shell', use: 'the browser of the page tests' },
  { name: 'curl', program: 'curl', use: 'the examples of /docs' },
  { name: 'iproute2', program: 'ip', use: 'the network that ends at this machine' },
  { name: 'jq', program: 'jq', use: 'the examples of /docs' },
  { name: 'mupdf-tools', program: 'mutool', use: 'a second renderer and signature check' },
  { name: 'openssl', program: 'openssl', use: 'CMS verification' },
  { name: 'poppler-utils', program: 'pdfsig', use: 'signature check, rendering and text of PDFs' },
  {
    name: 'python3-venv',
    program: 'python3',
    isPresent: canMakePythonVenv,
    use: 'the virtual environments of pyHanko and schemathesis',
  },
  { name: 'qpdf', program: 'qpdf', use: 'structure check of PDFs' },
]

/**
 * Ensures that the tests find their programs. As root on Debian it installs missing ones, after one line on stdout. Elsewhere, or without
 * Go (for the test servers), it throws a one-line message that names everything missing.
 */
export function ensureSystemPackages() {
  const missing = listMissingPackages()
  const goIsMissing = !isOnPath('go')
  if (missing.length === 0 && !goIsMissing) return
  if (goIsMissing || !canInstall()) throw new Error(describeMissing(missing, goIsMissing))
  console.log(`Installing Debian packages for the tests: ${missing.join(', ')}...`)
  runApt('update')
  runApt('install', '--yes', '--no-install-recommends', ...missing)
  const stillMissing = listMissingPackages()
  if (stillMissing.length > 0) throw new Error(describeMissing(stillMissing, false))
}

/** The packages whose program is missing, in the order of SYSTEM_PACKAGES. */
export function listMissingPackages(searchPath = process.env.PATH ?? '') {
  return SYSTEM_PACKAGES.filter(
    ({ program, isPresent }) => !isOnPath(program, searchPath) || isPresent?.(searchPath) === false,
  ).map(({ name }) => name)
}

/** A one-line message for manual installation. */
export function describeMissing(packages, goIsMissing) {
  const parts = []
  if (packages.length > 0) parts.push(`the Debian packages ${packages.join(', ')} (apt-get install ${packages.join(' ')})`)
  if (goIsMissing) parts.push('Go (https://go.dev/dl), which builds the test servers')
  return `The tests need missing programs: ${parts.join(', and ')}.`
}

function isOnPath(program, searchPath = process.env.PATH ?? '') {
  return searchPath.split(path.delimiter).some((folder) => folder !== '' && isExecutable(path.join(folder, program)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Debian splits ensurepip from python3; without it `python3 -m venv` fails halfway.
function canMakePythonVenv(searchPath) {
  const env = { ...process.env, PATH: searchPath }
  return spawnSync('python3', ['-c', 'import ensurepip, venv'], { env, stdio: 'ignore' }).status === 0
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && isOnPath('apt-get')
}

function runApt(...args) {
  // NOTE: another apt process may hold the lock on a new machine (cloud-init, unattended upgrades), so this waits.
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', '--quiet=2']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', [...options, ...args], { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.status === 0) return
  const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-5).join('\n')
  throw new Error(`apt-get ${args.join(' ')} failed:\n${result.error?.message ?? lastLines}`)
}
