// Name and permissions of a new or existing credential.
import { useState } from 'react'
import type { Action } from '../data/use-action.ts'
import type { Grant, Workspace } from '../data/records.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { nameError } from '../forms/field-rules.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import { choicesOf, grantsOf } from '../permissions/grants.ts'
import { PermissionMatrix } from '../permissions/permission-matrix.tsx'

export interface CredentialInput {
  name: string
  workspaces: Grant[]
}

export interface CredentialFormProps {
  initial: CredentialInput
  workspaces: readonly Workspace[]
  submit: string
  action: Action<CredentialInput>
}

export function CredentialForm({ initial, workspaces, submit, action }: CredentialFormProps) {
  const [name, setName] = useState(initial.name)
  const [choices, setChoices] = useState(() => choicesOf(initial.workspaces))
  const [isTried, setTried] = useState(false)
  const grants = grantsOf(choices)
  const own = { name: nameError(name), workspaces: grants.length === 0 ? texts.credentials.nothingGranted : undefined }
  const errors = mergeErrors(isTried ? own : {}, action.failure)

  const save = () => {
    setTried(true)
    if (!own.name && !own.workspaces) void action.run({ name, workspaces: grants })
  }

  return (
    <PanelForm errors={errors} failure={action.failure} submit={submit} isRunning={action.isRunning} onSubmit={save}>
      <TextInput
        label={texts.credentials.name}
        hint={texts.credentials.nameHint}
        value={name}
        onChange={setName}
        error={errors['name']}
      />
      <div className="field">
        <h3 className="field-title">{texts.credentials.permissions}</h3>
        <p className="hint">{texts.credentials.permissionsHint}</p>
        <PermissionMatrix
          label={texts.credentials.permissions}
          rows={workspaces}
          choices={choices}
          isDisabled={action.isRunning}
          onChange={setChoices}
        />
        {errors['workspaces'] && (
          <p className="field-error" role="alert" lang={errors['workspaces'].isEnglish ? 'en' : undefined}>
            {errors['workspaces'].text}
          </p>
        )}
      </div>
    </PanelForm>
  )
}
