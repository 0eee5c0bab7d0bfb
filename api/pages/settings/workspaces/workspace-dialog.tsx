// The dialog for a workspace's name, to create or rename it.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { codeOf } from '../../http/failure.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import type { Action } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { nameError } from '../forms/field-rules.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'

export interface WorkspaceDialogProps {
  title: string
  name: string
  submit: string
  action: Action<string>
  onClose: () => void
}

export function WorkspaceDialog({ title, name: before, submit, action, onClose }: WorkspaceDialogProps) {
  const [name, setName] = useState(before)
  const [isTried, setTried] = useState(false)
  const error = nameError(name)
  const isTaken = action.failure !== undefined && codeOf(action.failure) === 'WORKSPACE_NAME_TAKEN'
  const own = { name: isTried && error ? error : isTaken ? texts.errors.byCode.WORKSPACE_NAME_TAKEN : undefined }
  const errors = mergeErrors(own, action.failure)

  const save = () => {
    setTried(true)
    if (!error) void action.run(name)
  }

  return (
    <PanelDialog title={title} onClose={action.isRunning ? undefined : onClose}>
      <PanelForm
        errors={errors}
        failure={isTaken ? undefined : action.failure}
        submit={submit}
        isRunning={action.isRunning}
        onSubmit={save}
        cancel={
          <ActionButton look="secondary" isDisabled={action.isRunning} onPress={onClose}>
            {sharedTexts.shared.cancel}
          </ActionButton>
        }
      >
        <TextInput label={texts.workspaces.name} value={name} onChange={setName} error={errors['name']} autoFocus />
      </PanelForm>
    </PanelDialog>
  )
}
