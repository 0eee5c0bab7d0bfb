// What a tier cannot run without, because nothing on its machine could stand in.
import { SettingsError } from './read-settings.ts'
import { SETTINGS, type Settings } from './settings.ts'

export type RequiredSettings<Key extends keyof Settings> = Settings & { [Each in Key]-?: NonNullable<Settings[Each]> }

/** The settings with these present. Throws SettingsError naming all that are missing. */
export function requireSettings<Key extends keyof Settings>(settings: Settings, keys: readonly Key[]): RequiredSettings<Key> {
  if (hasAll(settings, keys)) return settings
  const missing = keys.filter((key) => settings[key] === undefined)
  throw new SettingsError(missing.map((key) => `${SETTINGS[key].name} is missing; this process cannot run without it.`))
}

function hasAll<Key extends keyof Settings>(settings: Settings, keys: readonly Key[]): settings is RequiredSettings<Key> {
  return keys.every((key) => settings[key] !== undefined)
}
