// A form with one code, for what needs a proof of the second factor.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { codeOf, type Outcome } from '../../http/failure.ts'
import { texts as sharedTexts } from '../../locales/texts.ts'
import { useAction } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import { CodeInput } from './code-input.tsx'

export interface CodeFormProps<Value> {
  submit: string
  /** `app`: only a code of the app will do. */
  kind: 'app' | 'either'
  send: (code: string) => Promise<Outcome<Value>>
  onDone: (value: Value) => void
  onCancel?: (() => void) | undefined
}

export function CodeForm<Value>({ submit, kind, send, onDone, onCancel }: CodeFormProps<Value>) {
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const action = useAction(() => send(code), onDone)
  const isWrong = action.failure && codeOf(action.failure) === 'FACTOR_CODE_WRONG'
  const missing = code.trim() === '' ? texts.factor.codeMissing : undefined
  const own = { code: isWrong ? texts.errors.byCode.FACTOR_CODE_WRONG : isTried ? missing : undefined }
  const errors = mergeErrors(own, action.failure)
  const change = (value: string) => {
    setCode(value)
    action.reset()
  }
  const run = () => {
    setTried(true)
    if (!missing) void action.run()
  }
  return (
    <PanelForm
      errors={errors}
      failure={isWrong ? undefined : action.failure}
      submit={submit}
      isRunning={action.isRunning}
      onSubmit={run}
      cancel={
        onCancel && (
          <ActionButton look="secondary" isDisabled={action.isRunning} onPress={onCancel}>
            {sharedTexts.shared.cancel}
          </ActionButton>
        )
      }
    >
      {kind === 'either' ? (
        <CodeInput code={code} onChange={change} error={errors['code']} />
      ) : (
        <TextInput
          label={texts.factor.firstCode}
          value={code}
          onChange={change}
          error={errors['code']}
          inputMode="numeric"
          autoComplete="one-time-code"
        />
      )}
    </PanelForm>
  )
}
