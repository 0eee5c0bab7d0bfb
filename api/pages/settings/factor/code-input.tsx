// The field for a code of the app, or for a recovery code instead.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { ErrorText } from '../forms/field-errors.ts'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'

export interface CodeInputProps {
  code: string
  onChange: (code: string) => void
  error?: ErrorText | undefined
}

/** Takes either kind. The service reads spaces and hyphens, so they stay as they were typed. */
export function CodeInput({ code, onChange, error }: CodeInputProps) {
  const [isRecovery, setRecovery] = useState(false)
  const change = () => {
    setRecovery(!isRecovery)
    onChange('')
  }
  return (
    <>
      <TextInput
        key={String(isRecovery)}
        label={isRecovery ? texts.factor.recoveryCode : texts.factor.code}
        hint={isRecovery ? texts.factor.recoveryCodeHint : texts.factor.codeHint}
        value={code}
        onChange={onChange}
        error={error}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        {...(!isRecovery && { inputMode: 'numeric' as const })}
        autoFocus
      />
      <ActionButton look="quiet" type="button" onPress={change}>
        {isRecovery ? texts.factor.useApp : texts.factor.useRecoveryCode}
      </ActionButton>
    </>
  )
}
