// Reads settings from an environment and collects their errors.
import type { Environment } from '#core/platform/config/environment.ts'
import { readSettings, SettingsError } from '#core/platform/config/read-settings.ts'
import type { Settings } from '#core/platform/config/settings.ts'

export function settingsOf(environment: Environment): Settings {
  return readSettings(environment).settings
}

/** Every error of the environment. */
export function faultsOf(environment: Environment): readonly string[] {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
  return []
}
