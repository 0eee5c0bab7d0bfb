// What the settings of an environment are, and what is wrong with them.
import type { Environment, Settings } from '#core/platform/config/settings.ts'
import { readSettings, SettingsError } from '#core/platform/config/read-settings.ts'

export function settingsOf(environment: Environment): Settings {
  return readSettings(environment).settings
}

/** Every error of the environment. */
export function errorsOf(environment: Environment): readonly string[] {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.errors
    throw error
  }
  return []
}
