// The only file of this tier that reads the environment.
import { type Environment, readSettings } from '#core/config/read-settings.ts'
import { type ProcessSettings, toProcessSettings } from '#core/open-core.ts'

/** The settings of this process. Throws SettingsError with all faults at once. */
export function readConfig(): ProcessSettings {
  return toProcessSettings(readSettings(process.env).settings)
}

/** For the library of traces, whose settings are OpenTelemetry's own. */
export function readEnvironment(): Environment {
  return process.env
}
