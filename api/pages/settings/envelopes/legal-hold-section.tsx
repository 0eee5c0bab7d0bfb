// Legal hold for the documents of an envelope, for admins.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { AuditTrail, Envelope } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import type { Resource } from '../data/use-resource.ts'
import { Section } from '../frame/area.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { isArchived, isHeld } from './envelope-history.ts'

export interface LegalHoldSectionProps {
  envelope: Envelope
  trail: Resource<AuditTrail>
}

/** Hidden for drafts, and for envelopes whose documents were deleted. */
export function LegalHoldSection({ envelope, trail }: LegalHoldSectionProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const { loaded } = trail
  const held = loaded.phase === 'ready' && isHeld(loaded.value.events)
  const words = held ? texts.legalHold.release : texts.legalHold.set
  const change = useAction(
    () => store.call<unknown>({ method: held ? 'DELETE' : 'PUT', path: `/envelopes/${envelope.id}/legal-hold` }),
    () => {
      setConfirming(false)
      say(words.done)
      void trail.reload()
    },
  )
  if (envelope.status === 'DRAFT' || loaded.phase !== 'ready' || isArchived(loaded.value.events)) return null
  return (
    <Section
      title={texts.legalHold.title}
      hint={texts.legalHold.hint}
      actions={held && <Pill tone="active">{texts.legalHold.held}</Pill>}
    >
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {words.action}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.question}
          body={words.body}
          confirm={words.action}
          look={held ? 'danger' : 'primary'}
          action={change}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  )
}
