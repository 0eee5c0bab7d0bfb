// Whether documents wait although their key is active, by the rule that the workers follow. Pure.
import { chooseVersion } from '#core/signing-key/rules.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'

/** Reason why seals wait, as the condition Ready shows it. */
export interface Wait {
  reason: string
  message: string
}

const REASONS = { Compromised: 'Compromised', LessTrust: 'SelfSigned', NoActiveKey: 'WaitingForWorkers' } as const

/** Undefined for a key that seals, and for one that does not have to. */
export function waitOf(row: SigningKeyView, now: Date): Wait | undefined {
  const { id: keyId, orgId, providerType, compromisedSince, state, active, isReplaced, scopeTrustedUntil: trustedUntil } = row
  if (state !== 'ACTIVE' || isReplaced || !active?.certificate || !active.activatedAt) return undefined
  const { version, selfMade, activatedAt } = active
  const { fingerprint } = active.certificate
  const candidate = { keyId, orgId, providerType, compromisedSince, version, fingerprint, selfMade, activatedAt }
  const choice = chooseVersion([candidate], { now, trustedUntil })
  return choice.waits ? { reason: REASONS[choice.reason], message: `Documents wait: ${choice.message}` } : undefined
}
