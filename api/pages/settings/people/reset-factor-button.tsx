// Resets the second factor of a person who lost it.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { Person } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'

export function ResetFactorButton({ person, onChange }: { person: Person; onChange: () => void }) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const reset = useAction(
    () => store.call<undefined>({ method: 'DELETE', path: `/people/${person.id}/factor` }),
    () => {
      setConfirming(false)
      say(texts.factor.resetDone(person.name))
      onChange()
    },
  )
  const close = () => {
    setConfirming(false)
    reset.reset()
  }
  return (
    <>
      <ActionButton look="quiet" aria-label={texts.factor.resetOf(person.name)} onPress={() => setConfirming(true)}>
        {texts.factor.reset}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.factor.resetTitle(person.name)}
          body={texts.factor.resetBody}
          confirm={texts.factor.reset}
          look="danger"
          action={reset}
          onClose={close}
        />
      )}
    </>
  )
}
