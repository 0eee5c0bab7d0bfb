// An admin's actions on a person: send a new password link, edit, remove.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { Person } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { EditDialog } from './edit-dialog.tsx'

interface PersonActionProps {
  person: Person
  onChange: () => void
}

export function ResendButton({ person, onChange }: PersonActionProps) {
  const store = useSessionStore()
  const say = useFlash()
  const resend = useAction(
    () => store.call<undefined>({ method: 'POST', path: `/people/${person.id}/setup-link` }),
    () => {
      say(texts.people.resent(person.email))
      onChange()
    },
  )
  return (
    <>
      <ActionButton
        look="quiet"
        aria-label={texts.people.resendOf(person.name)}
        isPending={resend.isRunning}
        onPress={() => void resend.run()}
      >
        {texts.people.resend}
      </ActionButton>
      {resend.failure && <Notice tone="warning">{panelFailureText(resend.failure)}</Notice>}
    </>
  )
}

export function EditButton({ person, onChange }: PersonActionProps) {
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <ActionButton look="quiet" aria-label={texts.people.editOf(person.name)} onPress={() => setEditing(true)}>
        {texts.people.edit}
      </ActionButton>
      {isEditing && <EditDialog person={person} onSaved={onChange} onClose={() => setEditing(false)} />}
    </>
  )
}

export function RemoveButton({ person, onChange }: PersonActionProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const remove = useAction(
    () => store.call<undefined>({ method: 'DELETE', path: `/people/${person.id}` }),
    () => {
      setConfirming(false)
      say(texts.people.removed(person.name))
      onChange()
    },
  )
  const close = () => {
    setConfirming(false)
    remove.reset()
  }
  return (
    <>
      <ActionButton look="quiet" aria-label={texts.people.removeOf(person.name)} onPress={() => setConfirming(true)}>
        {texts.people.remove}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.people.removeTitle(person.name)}
          body={texts.people.removeBody}
          confirm={texts.people.remove}
          look="danger"
          action={remove}
          onClose={close}
        />
      )}
    </>
  )
}
