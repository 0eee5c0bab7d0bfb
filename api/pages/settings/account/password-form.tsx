// Changes the password.
import { useState } from 'react'
import { codeOf } from '../../http/failure.ts'
import { useAction } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { useFlash } from '../frame/flash.tsx'
import { texts } from '../locales/texts.ts'
import type { Session } from '../session/session.ts'
import { useSessionStore } from '../session/session-context.ts'
import { MIN_PASSWORD_CHARACTERS, passwordError, passwordErrors } from '../forms/password-rules.ts'

export function PasswordForm() {
  const store = useSessionStore()
  const say = useFlash()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [isTried, setTried] = useState(false)
  const change = useAction(
    () => store.call<Session>({ method: 'PUT', path: '/password', body: { currentPassword, newPassword } }),
    (session) => {
      setCurrent('')
      setNew('')
      setTried(false)
      store.update(() => session)
      say(texts.account.passwordChanged)
    },
  )
  const own = {
    currentPassword: currentPassword ? undefined : texts.words.required,
    newPassword: passwordError(newPassword),
  }
  const rejected = passwordErrors(change.failure && codeOf(change.failure))
  const errors = mergeErrors({ ...rejected, ...(isTried && definedOnly(own)) }, change.failure)
  const submit = () => {
    setTried(true)
    if (!own.currentPassword && !own.newPassword) void change.run()
  }
  return (
    <PanelForm
      errors={errors}
      failure={Object.keys(rejected).length > 0 ? undefined : change.failure}
      submit={texts.account.changePassword}
      isRunning={change.isRunning}
      onSubmit={submit}
    >
      <TextInput
        label={texts.account.currentPassword}
        type="password"
        value={currentPassword}
        onChange={setCurrent}
        error={errors['currentPassword']}
        autoComplete="current-password"
      />
      <TextInput
        label={texts.account.newPassword}
        hint={texts.setup.rule(MIN_PASSWORD_CHARACTERS)}
        type="password"
        value={newPassword}
        onChange={setNew}
        error={errors['newPassword']}
        autoComplete="new-password"
      />
    </PanelForm>
  )
}

function definedOnly(errors: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).flatMap(([field, text]) => (text ? [[field, text]] : [])))
}
