// The organisation in the panel: its settings and its quota usage.
import { LOCALES } from '#core/platform/text/locale.ts'
import { MAX_RETENTION_DAYS, MIN_RETENTION_DAYS } from '#core/limits.ts'
import { z } from 'zod'
import { Int32, Int64, Uuid } from './scalars.ts'
import { Name } from './text.ts'

const Locale = z.enum(LOCALES)

export const UpdateOrganisationBody = z.object({
  name: Name.optional(),
  locale: Locale.optional(),
  retentionDays: z
    .int('must be a whole number')
    .min(MIN_RETENTION_DAYS, `must be at least ${MIN_RETENTION_DAYS}`)
    .max(MAX_RETENTION_DAYS, `must be at most ${MAX_RETENTION_DAYS}`)
    .nullable()
    .optional()
    .describe('Null: use the setting of the installation.'),
  requireSecondFactor: z.boolean().optional(),
})

export const OrganisationResponse = z
  .object({
    id: Uuid,
    name: z.string(),
    locale: Locale,
    retentionDays: z.int().nullable().describe('How many days sealed files are kept. Null: the setting of the installation.'),
    requireSecondFactor: z
      .boolean()
      .describe('People who sign in with a password and have no second factor can only set one up.'),
    quotas: z
      .array(z.object({ dimension: z.string(), limit: Int64.describe('0: no limit.'), current: Int64 }))
      .describe('The installation sets the limits.'),
    webhookLimit: Int32.describe('How many webhooks it may have.'),
  })
  .meta({ id: 'OrganisationResponse' })
export type OrganisationResponse = z.output<typeof OrganisationResponse>
