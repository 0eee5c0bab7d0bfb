// The npm packages that the product loads: those that package.json lists as dependencies, and what they require. The lock file says where each is installed.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const names = z.record(z.string(), z.string()).default({})
const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().default(''),
      license: z.string().optional(),
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().default(false) })).default({}),
    }),
  ),
})
type Entries = z.output<typeof LockFile>['packages']

export interface InstalledPackage {
  /** Relative to the project: node_modules/name, perhaps below another package. */
  folder: string
  name: string
  version: string
  /** The SPDX expression of its package.json. */
  license: string | undefined
}

/** Packages of which the product loads single files, which import no package: the rest of them and their dependencies stay out. */
export const SINGLE_FILES: Readonly<Record<string, readonly string[]>> = {
  // 65 MB of generated code beside it.
  '@kubernetes/client-node': ['dist/exec_auth.js'],
  // Builds for other runtimes beside them; without the canvas, whose native code hostile files must not reach.
  '@hyzyla/pdfium': ['dist/index.esm.js', 'dist/pdfium.wasm'],
  'pdfjs-dist': ['legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs'],
}

/** Lists the packages in the order of their folders. Packages for other platforms are not installed and left out. */
export async function listProductionPackages(root: string): Promise<InstalledPackage[]> {
  const { packages } = LockFile.parse(JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')))
  const found = new Set<string>()
  const waiting = Object.keys(packages['']?.dependencies ?? {}).map((name) => `node_modules/${name}`)
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder) || !existsSync(path.join(root, folder))) continue
    found.add(folder)
    if (!(nameOf(folder, packages) in SINGLE_FILES)) waiting.push(...requiredBy(folder, packages))
  }
  return [...found].sort().map((folder) => {
    const { version = '', license } = packages[folder] ?? {}
    return { folder, name: nameOf(folder, packages), version, license }
  })
}

/** An alias has the name of another package. */
function nameOf(folder: string, packages: Entries): string {
  return packages[folder]?.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function requiredBy(folder: string, packages: Entries): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[folder] ?? {}
  // An optional peer is installed because something else requires it, or not at all.
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  const required = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
  return required.flatMap((name) => resolve(folder, name, packages) ?? [])
}

/** Resolves a package as Node does: in the package's own node_modules, then in those of the folders above. */
function resolve(folder: string, name: string, packages: Entries): string | undefined {
  const own = `${folder}/node_modules/${name}`
  if (own in packages) return own
  const above = folder.lastIndexOf('/node_modules/')
  if (above !== -1) return resolve(folder.slice(0, above), name, packages)
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined
}
