// An installation that runs no scripts leaves the driver without our corrections (hack/postgres-corrections.mjs), with which it loses statements and
// ends processes when connections are lost. Nothing would show it until then.
import { StartupError } from '#core/platform/errors/startup-error.ts'

/** An option that only the corrected driver has. */
const ADDED_OPTION = 'silence_timeout'

const SENTENCE =
  'The package postgres was installed without its corrections, as npm does with --ignore-scripts. Run "node hack/patch-packages.mjs" and start again.'

/** Throws StartupError for a pool of a driver without our corrections. */
export function assertCorrected({ options }: { options: object }): void {
  if (!(ADDED_OPTION in options)) throw new StartupError('DRIVER', SENTENCE)
}
