// The password, with which the set-up of a second factor begins.
import { useState } from 'react'
import { codeOf } from '../../http/failure.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { passwordErrors } from '../forms/password-rules.ts'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import type { SetUp } from './use-set-up.ts'

export function BeginForm({ begin }: Pick<SetUp, 'begin'>) {
  const [currentPassword, setCurrent] = useState('')
  const [isTried, setTried] = useState(false)
  const missing = currentPassword === '' ? texts.words.required : undefined
  const rejected = passwordErrors(begin.failure && codeOf(begin.failure))
  const own = { ...(isTried && missing !== undefined && { currentPassword: missing }), ...rejected }
  const errors = mergeErrors(own, begin.failure)
  const submit = () => {
    setTried(true)
    if (missing === undefined) void begin.run(currentPassword).then((hasBegun) => hasBegun && setCurrent(''))
  }
  return (
    <PanelForm
      errors={errors}
      failure={Object.keys(rejected).length > 0 ? undefined : begin.failure}
      submit={texts.factor.setUp}
      isRunning={begin.isRunning}
      onSubmit={submit}
    >
      <TextInput
        label={texts.factor.password}
        type="password"
        value={currentPassword}
        onChange={setCurrent}
        error={errors['currentPassword']}
        autoComplete="current-password"
      />
    </PanelForm>
  )
}
