// The only file of this tier that reads the environment.
import type { Environment, Settings } from '#core/platform/config/settings.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { type ProcessSettings, readProcessSettings } from '#core/installation/open-core.ts'

/** The API's settings. Throws SettingsError with all errors at once. */
export function readApiConfig(): ProcessSettings {
  return readProcessSettings(process.env)
}

/** The settings of a command, which needs few. Throws SettingsError with all errors at once. */
export function readConfig(): Settings {
  return readSettings(process.env).settings
}

/** For the tracing library, which has OpenTelemetry's own settings, and for what npm says to a command. */
export function readEnvironment(): Environment {
  return process.env
}
