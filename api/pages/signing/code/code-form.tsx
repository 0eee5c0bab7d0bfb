// The six-digit field with the status of the last email and the button for a new code.
import { type FormEvent, type ReactNode, useState } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField } from 'react-aria-components/TextField'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { useSecondsLeft } from '../../components/use-seconds-left.ts'
import { texts } from '../../locales/texts.ts'
import { CODE_LENGTH, type CodeEntry, digitsOf } from './code-entry.ts'
import type { CodeActions } from './use-code.ts'

export interface CodeFormProps {
  code: CodeActions
  email: string
  /** Seconds until the service sends or accepts another code. */
  waitSeconds: number
  /** The last error, shown above the field. */
  children: ReactNode
}

export function CodeForm({ code, email, waitSeconds, children }: CodeFormProps) {
  const resendSeconds = Math.max(useSecondsLeft(code.entry.resendAtMs), waitSeconds)
  const lifeSeconds = useSecondsLeft(code.entry.challenge?.expiresAtMs)
  const isUsable = lifeSeconds > 0
  return (
    <>
      <p role="status">{deliveryText(code.entry, email, isUsable)}</p>
      {children}
      {isUsable && <CodeField code={code} lifeSeconds={lifeSeconds} isPaused={waitSeconds > 0} />}
      <ActionButton
        look={isUsable ? 'quiet' : 'primary'}
        isPending={code.busy === 'sending'}
        isDisabled={resendSeconds > 0}
        onPress={() => void code.send()}
      >
        {resendSeconds > 0 ? texts.code.sendAgainIn(formatSeconds(resendSeconds)) : texts.code.sendAgain}
      </ActionButton>
    </>
  )
}

function deliveryText(entry: CodeEntry, email: string, isUsable: boolean): string {
  if (entry.delivery === 'unusable') return texts.code.unusable
  if (!isUsable) return texts.code.expired
  return entry.delivery === 'sent-earlier' ? texts.code.sentEarlier(email) : texts.code.sent(email)
}

function CodeField({ code, lifeSeconds, isPaused }: { code: CodeActions; lifeSeconds: number; isPaused: boolean }) {
  const [digits, setDigits] = useState('')
  const [isIncomplete, setIncomplete] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPaused || code.busy) return
    setIncomplete(digits.length < CODE_LENGTH)
    if (digits.length === CODE_LENGTH && (await code.confirm(digits)) === 'rejected') setDigits('')
  }

  return (
    <form className="code-form" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        className="field"
        value={digits}
        onChange={(text) => setDigits(digitsOf(text))}
        isInvalid={isIncomplete && digits.length < CODE_LENGTH}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
      >
        <Label>{texts.code.label}</Label>
        <Input className="input code-input" placeholder="000000" />
        <p className="hint">{texts.code.expiresIn(formatSeconds(lifeSeconds))}</p>
        <FieldError className="field-error">{texts.code.incomplete}</FieldError>
      </TextField>
      <ActionButton look="primary" type="submit" isPending={code.busy === 'confirming'} isDisabled={isPaused}>
        {texts.code.confirm}
      </ActionButton>
    </form>
  )
}
