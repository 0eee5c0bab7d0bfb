// The only file of this tier that reads the environment.
import type { Environment, Settings } from '#core/platform/config/settings.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { type ProcessSettings, readProcessSettings } from '#core/installation/open-core.ts'

/** The settings of this process. Throws SettingsError with all errors at once. */
export function readConfig(): ProcessSettings {
  return readProcessSettings(process.env)
}

/** The settings of a command, which needs few. Throws SettingsError with all errors at once. */
export function readCommandSettings(): Settings {
  return readSettings(process.env).settings
}

/** For the tracing library, which has OpenTelemetry's own settings. */
export function readEnvironment(): Environment {
  return process.env
}
