// Changes a person's name and role. After changing their own role, a person sees the panel of the new role at once.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { texts as sharedTexts } from '../../locales/texts.ts'
import type { Person } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { nameError } from '../forms/field-rules.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { useFlash } from '../frame/flash.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { RoleInput } from './role-input.tsx'

export interface EditDialogProps {
  person: Person
  onSaved: () => void
  onClose: () => void
}

export function EditDialog({ person, onSaved, onClose }: EditDialogProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [name, setName] = useState(person.name)
  const [role, setRole] = useState(person.role)
  const [isTried, setTried] = useState(false)
  const save = useAction(
    () => store.call<Person>({ method: 'PATCH', path: `/people/${person.id}`, body: { name, role } }),
    (saved) => {
      say(texts.people.saved(saved.name))
      onClose()
      onSaved()
      store.update((session) =>
        session.admin.id === saved.id ? { ...session, admin: { ...session.admin, name: saved.name, role: saved.role } } : session,
      )
    },
  )
  const own = { name: nameError(name) }
  const errors = mergeErrors(isTried ? own : {}, save.failure)
  const submit = () => {
    setTried(true)
    if (!own.name) void save.run()
  }
  return (
    <PanelDialog title={texts.people.editOf(person.name)} onClose={save.isRunning ? undefined : onClose}>
      <PanelForm
        errors={errors}
        failure={save.failure}
        submit={texts.words.save}
        isRunning={save.isRunning}
        onSubmit={submit}
        cancel={
          <ActionButton look="secondary" isDisabled={save.isRunning} onPress={onClose}>
            {sharedTexts.shared.cancel}
          </ActionButton>
        }
      >
        <TextInput label={texts.people.name} value={name} onChange={setName} error={errors['name']} autoFocus />
        <RoleInput role={role} onChange={setRole} />
      </PanelForm>
    </PanelDialog>
  )
}
