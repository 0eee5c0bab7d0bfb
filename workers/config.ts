// The only file of this tier that reads the environment.
import { type Environment, readSettings } from '#core/config/read-settings.ts'
import { requireSettings } from '#core/config/require-settings.ts'
import { type ProcessSettings, publicUrlOf } from '#core/open-core.ts'

/** The settings of this process. Throws SettingsError with all faults at once. */
export function readConfig(): ProcessSettings {
  const { settings } = readSettings(process.env)
  const complete = requireSettings(settings, ['databaseUrl', 'installationKey'])
  return { ...complete, publicUrl: publicUrlOf(complete) }
}

/** For the library of traces, whose settings are OpenTelemetry's own. */
export function readEnvironment(): Environment {
  return process.env
}
