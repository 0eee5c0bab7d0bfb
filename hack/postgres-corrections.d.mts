// Types of postgres-corrections.mjs for TypeScript tests.
export interface DriverCorrection {
  /** What happens without it. */
  without: string
  /** Issues of porsager/postgres. */
  issues: readonly number[]
  changes: readonly (readonly [file: string, before: string, after: string])[]
}
export const POSTGRES_CORRECTIONS: readonly DriverCorrection[]
