// The address rules of an installation.
import type { CoreSettings } from '#core/context.ts'
import type { AddressRules } from './address-rules.ts'

export type AddressSettings = Pick<CoreSettings, 'webhookAllowedCidrs' | 'webhookDeniedCidrs' | 'webhookReceiver'>

/** For the check at creation and for deliveries: what one accepts, the other must not refuse. */
export function addressRulesOf({ webhookAllowedCidrs, webhookDeniedCidrs, webhookReceiver }: AddressSettings): AddressRules {
  return {
    allowed: webhookAllowedCidrs,
    denied: webhookDeniedCidrs,
    allowedEndpoints: webhookReceiver ? [webhookReceiver.endpoint] : [],
  }
}
