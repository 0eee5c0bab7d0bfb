// The second step of signing in: a code after the right password.
import { type FormEvent, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { Notice } from '../../components/notice.tsx'
import { useRetryWait } from '../../components/retry.tsx'
import type { Failure } from '../../http/failure.ts'
import { useAction } from '../data/use-action.ts'
import { CodeInput } from '../factor/code-input.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from './session-context.ts'

export interface CodeStepProps {
  email: string
  password: string
  onBack: () => void
}

export function CodeStep({ email, password, onBack }: CodeStepProps) {
  const store = useSessionStore()
  const [code, setCode] = useState('')
  const signIn = useAction(
    () => store.signIn({ email, password, code }),
    () => {},
  )
  const waitSeconds = useRetryWait(signIn.failure)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() && waitSeconds === 0) void signIn.run()
  }
  return (
    <form className="form" onSubmit={submit} noValidate>
      <p role="status">{texts.factor.signInBody}</p>
      <CodeInput code={code} onChange={setCode} />
      {signIn.failure && (
        <Notice tone="warning" title={texts.signIn.failedTitle}>
          {failureText(signIn.failure)}
        </Notice>
      )}
      <div className="button-row">
        <ActionButton look="primary" type="submit" isPending={signIn.isRunning} isDisabled={waitSeconds > 0}>
          {waitSeconds > 0 ? texts.signIn.submitIn(formatSeconds(waitSeconds)) : texts.signIn.submit}
        </ActionButton>
        <ActionButton look="secondary" type="button" isDisabled={signIn.isRunning} onPress={onBack}>
          {texts.factor.back}
        </ActionButton>
      </div>
      <p className="hint">{texts.factor.lost}</p>
    </form>
  )
}

function failureText(failure: Failure): string {
  if (failure.kind === 'answer' && failure.status === 401) return texts.factor.wrongAtSignIn
  if (failure.kind === 'answer' && failure.status === 429) return texts.signIn.throttled
  return panelFailureText(failure)
}
