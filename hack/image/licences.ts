// Checks that everything in the image may be distributed with it.

export interface Licensed {
  name: string
  version: string
  /** SPDX expression. */
  license: string | undefined
}

/** Permissive licences, and the Open Font License for fonts. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Throws one sentence with all packages whose licence is missing or not allowed. */
export function assertLicences(packages: readonly Licensed[]): void {
  const refused = packages.filter(({ license }) => !isAllowed(license))
  if (refused.length === 0) return
  const list = refused.map(({ name, version, license }) => `${name}@${version} (${license ?? 'none'})`).join(', ')
  throw new Error(`These packages have a licence that hack/image/licences.ts does not allow: ${list}.`)
}

/** Whether the licence is allowed: one of alternatives (OR) is enough, a combination (AND) needs all. */
function isAllowed(expression: string | undefined): boolean {
  if (!expression) return false
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((each) => each.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}
