// Copies what the product loads at run time into the image's tree: its own sources, which Node runs as they are, the built pages, and packages.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type InstalledPackage, SINGLE_FILES } from './production-packages.ts'

const FOLDERS = ['api', 'controller', 'core', 'workers']
const PAGES = path.join('api', 'pages')
const BUILT_PAGES = path.join(PAGES, 'dist')
/** The entry point. */
const ENTRY = ['hack/image/main.ts', 'hack/image/processes.ts']

/** Types, sources and maps of packages: Node does not load TypeScript below node_modules. Binaries of another runtime (bare). */
const NOT_LOADED = /\.([cm]?tsx?|map|flow|bare|md|markdown)$/
const LICENCE = /(^|\/)(licen[cs]e|copying|notice)/i

/** Copies sources and built pages. Throws when the pages have not been built. */
export async function copyProduct(root: string, app: string): Promise<void> {
  for (const folder of FOLDERS) {
    await cp(path.join(root, folder), path.join(app, folder), {
      recursive: true,
      filter: (file) => isProduct(path.relative(root, file)),
    })
  }
  await cp(path.join(root, BUILT_PAGES), path.join(app, BUILT_PAGES), { recursive: true })
  for (const file of ENTRY) await cp(path.join(root, file), path.join(app, file))
  await writeFile(path.join(app, 'package.json'), `${JSON.stringify(await readPackage(root), null, 2)}\n`)
}

function isProduct(file: string): boolean {
  return file !== PAGES && path.basename(file) !== 'README.md' && !file.endsWith('.d.ts')
}

/** Without scripts and development dependencies. */
async function readPackage(root: string): Promise<object> {
  const {
    name,
    version,
    private: isPrivate,
    license,
    type,
    imports,
    dependencies,
  } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  return { name, version, private: isPrivate, license, type, imports, dependencies }
}

/** Copies packages without the ones that are installed below them, which are packages of their own. */
export async function copyPackages(root: string, app: string, packages: readonly InstalledPackage[]): Promise<void> {
  for (const { folder, name } of packages) {
    const from = path.join(root, folder)
    const single = SINGLE_FILES[name]
    const isWanted = (file: string): boolean =>
      LICENCE.test(file) || (single ? file === 'package.json' || single.includes(file) : !NOT_LOADED.test(file))
    await mkdir(path.join(app, folder), { recursive: true })
    await cp(from, path.join(app, folder), {
      recursive: true,
      filter: (file) => isWantedPath(path.relative(from, file), isWanted, single),
    })
  }
}

function isWantedPath(file: string, isWanted: (file: string) => boolean, single: readonly string[] | undefined): boolean {
  if (file === '') return true
  if (path.basename(file) === 'node_modules') return false
  // A folder on the way to a wanted file.
  if (single?.some((each) => each.startsWith(`${file}/`))) return true
  return isWanted(file)
}
