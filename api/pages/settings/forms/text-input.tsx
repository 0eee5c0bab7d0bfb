// A text field with label, hint and error message.
import type { HTMLInputAutoCompleteAttribute } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField } from 'react-aria-components/TextField'
import type { ErrorText } from './field-errors.ts'

export interface TextInputProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  error?: ErrorText | undefined
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'datetime-local'
  inputMode?: 'numeric'
  autoComplete?: HTMLInputAutoCompleteAttribute
  autoFocus?: boolean
  isDisabled?: boolean
}

export function TextInput({ label, hint, error, autoComplete = 'off', ...field }: TextInputProps) {
  return (
    <TextField className="field" {...field} autoComplete={autoComplete} isInvalid={error !== undefined} spellCheck="false">
      <Label>{label}</Label>
      <Input className="input" />
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">
        <span lang={error?.isEnglish ? 'en' : undefined}>{error?.text}</span>
      </FieldError>
    </TextField>
  )
}
