// Refuses a URL of a webhook that no delivery may reach, so that its user sees the reason. Every delivery checks the addresses again.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { addressRulesOf } from './address/rules-of-settings.ts'
import { openSystemLookup } from './address/system-lookup.ts'
import { type Lookup, vetTarget } from './address/vet-target.ts'
import { describeFailure } from './request/describe-failure.ts'

const systemLookup = openSystemLookup()

/** Accepts a name that cannot be resolved at the moment. Throws WEBHOOK_URL_REFUSED with the reason. */
export async function assertTarget(
  { settings }: Pick<Core, 'settings'>,
  url: string,
  lookup: Lookup = systemLookup,
): Promise<void> {
  const signal = AbortSignal.timeout(settings.webhookConnectTimeoutSeconds * 1000)
  const target = await vetTarget(url, addressRulesOf(settings), lookup, signal)
  if (!('failure' in target) || target.failure.code === 'NAME_LOOKUP_FAILED') return
  throw new DomainError('WEBHOOK_URL_REFUSED', { message: describeFailure(target.failure, 'en') })
}
