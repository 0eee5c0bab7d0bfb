// Invites a person by email.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { texts as sharedTexts } from '../../locales/texts.ts'
import type { Person } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { emailError, nameError } from '../forms/field-rules.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { useFlash } from '../frame/flash.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { RoleInput } from './role-input.tsx'

export function InviteDialog({ onInvited, onClose }: { onInvited: () => void; onClose: () => void }) {
  const store = useSessionStore()
  const say = useFlash()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Person['role']>('MEMBER')
  const [isTried, setTried] = useState(false)
  const invite = useAction(
    () => store.call<Person>({ method: 'POST', path: '/people', body: { name, email, role } }),
    () => {
      say(texts.people.invited(email))
      onClose()
      onInvited()
    },
  )
  const own = { name: nameError(name), email: emailError(email) }
  const errors = mergeErrors(isTried ? own : {}, invite.failure)
  const send = () => {
    setTried(true)
    if (!own.name && !own.email) void invite.run()
  }
  return (
    <PanelDialog title={texts.people.invite} onClose={invite.isRunning ? undefined : onClose}>
      <PanelForm
        errors={errors}
        failure={invite.failure}
        submit={texts.people.inviteSubmit}
        isRunning={invite.isRunning}
        onSubmit={send}
        cancel={
          <ActionButton look="secondary" isDisabled={invite.isRunning} onPress={onClose}>
            {sharedTexts.shared.cancel}
          </ActionButton>
        }
      >
        <TextInput label={texts.people.name} value={name} onChange={setName} error={errors['name']} autoFocus />
        <TextInput label={texts.people.email} type="email" value={email} onChange={setEmail} error={errors['email']} />
        <RoleInput role={role} onChange={setRole} />
      </PanelForm>
    </PanelDialog>
  )
}
