// Types of system-packages.mjs for TypeScript tests.
export interface SystemPackage {
  name: string
  program: string
  use: string
  isPresent?: (searchPath: string) => boolean
}
export const SYSTEM_PACKAGES: readonly SystemPackage[]
export function ensureSystemPackages(): void
export function listMissingPackages(searchPath?: string): string[]
export function describeMissing(packages: readonly string[], goIsMissing: boolean): string
