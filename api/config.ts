// The only file of this tier that reads the environment.
import { readSettings } from '#core/config/read-settings.ts'
import type { Settings } from '#core/config/settings.ts'

/** The settings of this process. Throws SettingsError with all faults at once. */
export function readConfig(): Settings {
  return readSettings(process.env).settings
}
