// The list of components (CycloneDX): npm writes it for the lock file; it is reduced to what the image holds and completed by what is bundled into the pages.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { InstalledPackage } from './production-packages.ts'

const run = promisify(execFile)
const SBOM_BYTES = 64 * 1024 * 1024

const Component = z.looseObject({ name: z.string(), version: z.string(), purl: z.string(), 'bom-ref': z.string() })
const Bom = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
})
type Component = z.output<typeof Component>

export interface BundledPackage {
  name: string
  version: string
}

/** The list as JSON. Throws when npm does not know one of the components. */
export async function writeSbom(
  root: string,
  contents: { installed: readonly InstalledPackage[]; bundled: readonly BundledPackage[]; nodeVersion: string },
): Promise<string> {
  const { stdout } = await run(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
    {
      cwd: root,
      maxBuffer: SBOM_BYTES,
    },
  )
  const bom = Bom.parse(JSON.parse(stdout))
  const components = [...contents.installed, ...contents.bundled].map((each) => componentOf(bom.components, each))
  // npm names it after the folder of the sources.
  const component = { ...bom.metadata.component, name: packageName(bom.metadata.component) }
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  const everything = [...unique(components), nodeComponent(contents.nodeVersion)]
  return JSON.stringify({ ...bom, metadata: { ...bom.metadata, component }, components: everything, dependencies }, null, 2)
}

function componentOf(components: readonly Component[], { name, version }: BundledPackage): Component {
  const found = components.find((each) => packageName(each) === name && each.version === version)
  if (!found) throw new Error(`npm sbom does not list ${name}@${version}.`)
  return found
}

/** An alias has its own name; the package URL has that of the package. */
function packageName({ purl }: Component): string {
  return decodeURIComponent(purl.replace(/^pkg:npm\//, '').replace(/@[^@]*$/, ''))
}

/** A package may be installed twice, or be installed and bundled. */
function unique(components: readonly Component[]): Component[] {
  return [...new Map(components.map((each) => [each['bom-ref'], each])).values()]
}

function nodeComponent(version: string): Component {
  const purl = `pkg:generic/node@${version}`
  return { type: 'application', name: 'node', version, purl, 'bom-ref': purl }
}
