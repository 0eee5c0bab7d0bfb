// node hack/image/assemble.ts FOLDER: writes what the image adds to its base. Needs installed dependencies and built pages. The pinned Node must run it, because
// that is the Node of the image.
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { copyPackages, copyProduct } from './copy-files.ts'
import { assertLicences } from './licences.ts'
import { listProductionPackages } from './production-packages.ts'
import { writeSbom } from './sbom.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
/** Vite lists here what it bundled. */
const BUNDLED = path.join(ROOT, 'api', 'pages', 'dist', '.vite', 'license.json')
const Bundled = z.array(
  z.object({ name: z.string(), version: z.string(), identifier: z.string().optional(), text: z.string().optional() }),
)
/** Commands in the PATH of the image, and what Node runs for them. */
const COMMANDS = { sealwright: 'hack/image/main.ts', 'kubectl-sealwright': 'controller/kubectl/main.ts' }

const [tree] = process.argv.slice(2)
if (tree === undefined) throw new Error('usage: node hack/image/assemble.ts FOLDER')
await assemble(path.resolve(tree))

async function assemble(tree: string): Promise<void> {
  const app = path.join(tree, 'app')
  await assertPinnedNode()
  const installed = await listProductionPackages(ROOT)
  const bundled = Bundled.parse(JSON.parse(await readFile(BUNDLED, 'utf8')))
  assertLicences([...installed, ...bundled.map(({ identifier, ...each }) => ({ ...each, license: identifier }))])
  await copyProduct(ROOT, app)
  await copyPackages(ROOT, app, installed)
  await copyPrograms(path.join(tree, 'usr', 'local', 'bin'))
  // The data folder, for any user; a pod mounts a volume there.
  await mkdir(path.join(tree, 'var', 'lib', 'sealwright'), { recursive: true })
  await chmod(path.join(tree, 'var', 'lib', 'sealwright'), 0o1777)
  const about = path.join(tree, 'usr', 'share', 'sealwright')
  await mkdir(about, { recursive: true })
  const sbom = await writeSbom(ROOT, { installed, bundled, nodeVersion: process.versions.node })
  await writeFile(path.join(about, 'sbom.cdx.json'), sbom)
  await writeFile(path.join(about, 'licences-of-pages.md'), licenceTexts(bundled))
}

async function assertPinnedNode(): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const pinned: string = devDependencies.node
  if (process.versions.node === pinned) return
  throw new Error(`Run this with Node ${pinned}, which package.json pins; this is ${process.versions.node}.`)
}

async function copyPrograms(bin: string): Promise<void> {
  await mkdir(bin, { recursive: true })
  await copyFile(process.execPath, path.join(bin, 'node'))
  for (const [name, file] of Object.entries(COMMANDS)) {
    const launcher = path.join(bin, name)
    await writeFile(launcher, `#!/usr/local/bin/node\nimport '/app/${file}'\n`)
    await chmod(launcher, 0o755)
  }
}

function licenceTexts(bundled: z.output<typeof Bundled>): string {
  return bundled
    .map(({ name, version, identifier, text = '' }) => `## ${name} ${version} (${identifier})\n\n${text}\n`)
    .join('\n')
}
