// `settings`: every setting of the service that is not a secret, under its name in camel case. Secrets are only ever referred to.
import { SETTINGS } from '#core/platform/config/settings.ts'
import type { Schema } from './schema.ts'

const PREFIX = 'SEALWRIGHT_'

/** `SEALWRIGHT_OTP_MAX_TRIES` as a value: `otpMaxTries`. */
export function valueName(setting: string): string {
  const [first = '', ...rest] = setting.slice(PREFIX.length).toLowerCase().split('_')
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The settings that come from a Secret, and thus may not be a value. An access key has its id there too. */
export const SECRET_SETTINGS: readonly string[] = [
  ...Object.values(SETTINGS).flatMap(({ name, secret }) => (secret ? [name] : [])),
  SETTINGS.s3AccessKeyId.name,
]

export function settingsSchema(): Schema {
  const settings = Object.values(SETTINGS).filter(({ name }) => !SECRET_SETTINGS.includes(name))
  return {
    type: 'object',
    description:
      'Settings of all processes by their name in camel case: `otpMaxTries` for SEALWRIGHT_OTP_MAX_TRIES. They win over what the chart sets. Lists may be YAML lists. docs/settings.md explains them.',
    additionalProperties: false,
    properties: Object.fromEntries(settings.map((each) => [valueName(each.name), settingSchema(each)])),
    default: {},
  }
}

function settingSchema({ name, fallback }: { name: string; fallback: string | undefined }): Schema {
  return {
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: 'string' },
    description: fallback ? `${name}, by default ${fallback}.` : `${name}.`,
  }
}
