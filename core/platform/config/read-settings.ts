// Parses an environment into Settings, or reports everything that is wrong with it at once.
import { readFileSync } from 'node:fs'
import { leaseErrors } from './lease-settings.ts'
import { plainConnections } from './plain-connections.ts'
import { type Environment, SETTINGS, SETTINGS_WITHOUT_EFFECT, type Settings } from './settings.ts'
import { traceErrors } from './trace-settings.ts'

/** All errors of an environment, one sentence each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(errors.join('\n'))
    this.errors = errors
  }
}

/** The settings of `environment`, and the names of those that have no effect in this version. Throws SettingsError with every unknown name, bad value
 *  and unreadable secret file. */
export function readSettings(environment: Environment): { settings: Settings; withoutEffect: string[] } {
  const { settings, errors } = parseSettings(environment)
  if (errors.length > 0) throw new SettingsError(errors)
  return { settings, withoutEffect: SETTINGS_WITHOUT_EFFECT.filter((name) => environment[name]) }
}

export type RequiredSettings<Key extends keyof Settings> = Settings & { [Each in Key]-?: NonNullable<Settings[Each]> }

/** Reads the settings of a process of a cluster: it requires some settings, and emails are only kept when a setting says so. Missing ones are reported with the
 *  other errors. */
export function readRequiredSettings<Key extends keyof Settings>(
  environment: Environment,
  required: readonly Key[],
): RequiredSettings<Key> {
  const { settings, errors: invalid } = parseSettings(environment)
  const errors = [...missingMailServer(environment), ...invalid]
  if (errors.length === 0 && hasAll(settings, required)) return settings
  const missing = required.map((key) => SETTINGS[key]).filter((setting) => !isGiven(environment, setting.name))
  throw new SettingsError([...missing.map(({ name }) => `${name} is not set; this process requires it.`), ...errors])
}

/** Without a mail server the service seems to work, but no signer gets a link. */
function missingMailServer(environment: Environment): string[] {
  const keep = environment['SEALWRIGHT_MAIL_KEEP'] || 'false'
  if (keep !== 'false' || isGiven(environment, 'SEALWRIGHT_SMTP_URL')) return []
  return [
    'SEALWRIGHT_SMTP_URL is not set; to keep emails in the data folder instead of sending them, set SEALWRIGHT_MAIL_KEEP=true.',
  ]
}

function hasAll<Key extends keyof Settings>(settings: Settings, keys: readonly Key[]): settings is RequiredSettings<Key> {
  return keys.every((key) => settings[key] !== undefined)
}

function isGiven(environment: Environment, name: string): boolean {
  return Boolean(environment[name] || environment[`${name}_FILE`])
}

/** The settings are complete only when there are no errors. */
function parseSettings(environment: Environment): { settings: Settings; errors: string[] } {
  const errors = unknownNames(environment).map((name) => `${name} is not a known setting.`)
  const values: Record<string, unknown> = {}
  for (const [key, { name, shape, fallback, secret }] of Object.entries(SETTINGS)) {
    try {
      const given = (secret && fromFile(environment, name)) || environment[name] || fallback
      if (given === undefined) continue
      const parsed = shape.safeParse(given)
      if (parsed.success) values[key] = parsed.data
      else errors.push(`${name} ${parsed.error.issues.map(({ message }) => message).join(', ')}.`)
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (values['requireTls']) errors.push(...plainConnections(values).refusable)
  errors.push(...traceErrors(environment), ...leaseErrors(values), ...contradictions(environment))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key has just been parsed by its own shape
  return { settings: values as Settings, errors }
}

function unknownNames(environment: Environment): string[] {
  const known = new Set<string>(SETTINGS_WITHOUT_EFFECT)
  for (const { name, secret } of Object.values(SETTINGS)) {
    known.add(name)
    if (secret) known.add(`${name}_FILE`)
  }
  return Object.keys(environment).filter(
    (name) => name.startsWith('SEALWRIGHT_') && name !== 'SEALWRIGHT_CACHE_DIR' && !known.has(name),
  )
}

function fromFile(environment: Environment, name: string): string | undefined {
  const path = environment[`${name}_FILE`]
  if (!path) return undefined
  if (environment[name]) throw new Error(`${name} and ${name}_FILE are both set; use only one.`)
  const text = readText(`${name}_FILE`, path).trim()
  // Treating it as unset would silently select a default: emails kept in a folder, another database, a new key.
  if (!text) throw new Error(`${name}_FILE refers to an empty file.`)
  return text
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, { cause: error })
  }
}

/** Settings that are only valid together. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  S3: ['SEALWRIGHT_S3_ENDPOINT', 'SEALWRIGHT_S3_BUCKET', 'SEALWRIGHT_S3_ACCESS_KEY_ID', 'SEALWRIGHT_S3_SECRET_ACCESS_KEY'],
  'OpenID Connect sign-in': ['SEALWRIGHT_OIDC_ISSUER', 'SEALWRIGHT_OIDC_CLIENT_ID', 'SEALWRIGHT_OIDC_CLIENT_SECRET'],
}

/** Settings that require another one. Without it a default would be used silently: a generated key, files, no NATS. */
const BELONGS_TO: Readonly<Record<string, string>> = {
  SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'SEALWRIGHT_SIGNING_KEY_P12_FILE',
  SEALWRIGHT_NATS_CREDS_FILE: 'SEALWRIGHT_NATS_URL',
  SEALWRIGHT_S3_CA_FILE: 'SEALWRIGHT_S3_ENDPOINT',
  SEALWRIGHT_S3_PUBLIC_ENDPOINT: 'SEALWRIGHT_S3_ENDPOINT',
}

function contradictions(environment: Environment): string[] {
  const has = (name: string) => isGiven(environment, name)
  const incomplete = Object.entries(TOGETHER).flatMap(([what, names]) => {
    const missing = names.filter((name) => !has(name))
    return missing.length === 0 || missing.length === names.length ? [] : [`${what} also requires ${missing.join(', ')}.`]
  })
  const unsent = environment['SEALWRIGHT_MAIL_KEEP'] === 'true' && has('SEALWRIGHT_SMTP_URL')
  const alone = Object.entries(BELONGS_TO).filter(([name, owner]) => has(name) && !has(owner))
  return [
    ...incomplete,
    ...alone.map(([name, owner]) => `${name} has no effect without ${owner}.`),
    ...(unsent ? ['SEALWRIGHT_MAIL_KEEP=true contradicts SEALWRIGHT_SMTP_URL; set only one of them.'] : []),
  ]
}
