// The form of every change: one submit button, the failure above it, and the focus on the first invalid field.
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useRetryWait } from '../../components/retry.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import type { Failure } from '../../http/failure.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import type { FieldErrors } from './field-errors.ts'

export interface PanelFormProps {
  /** Messages that are shown beside their fields. */
  errors: FieldErrors
  failure: Failure | undefined
  submit: string
  isRunning: boolean
  onSubmit: () => void
  /** A second button, such as Cancel in a dialog. */
  cancel?: ReactNode
  children: ReactNode
}

export function PanelForm({ errors, failure, submit, isRunning, onSubmit, cancel, children }: PanelFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const waitSeconds = useRetryWait(failure)
  const invalidFields = Object.keys(errors).join(' ')
  useEffect(() => {
    if (invalidFields) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus()
  }, [invalidFields, failure])

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (waitSeconds === 0) onSubmit()
  }

  return (
    <form ref={form} className="form" onSubmit={send} noValidate>
      {children}
      {failure && <FormFailure failure={failure} areFieldsMarked={invalidFields !== ''} />}
      <div className="button-row form-buttons">
        {cancel}
        <ActionButton look="primary" type="submit" isPending={isRunning} isDisabled={waitSeconds > 0}>
          {waitSeconds > 0 ? sharedTexts.shared.tryAgainIn(formatSeconds(waitSeconds)) : submit}
        </ActionButton>
      </div>
    </form>
  )
}

function FormFailure({ failure, areFieldsMarked }: { failure: Failure; areFieldsMarked: boolean }) {
  const isAboutFields = failure.kind === 'answer' && failure.code === 'VALIDATION_FAILED' && areFieldsMarked
  return <Notice tone="warning">{isAboutFields ? texts.words.checkFields : panelFailureText(failure)}</Notice>
}
