// Sign-in by password or identity provider. After too many failed attempts the button counts down.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { Notice } from '../../components/notice.tsx'
import { useRetryWait } from '../../components/retry.tsx'
import type { Failure } from '../../http/failure.ts'
import { useAction } from '../data/use-action.ts'
import { TextInput } from '../forms/text-input.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import type { SignInWay } from './session.ts'
import { CodeStep } from './code-step.tsx'
import { useSessionStore } from './session-context.ts'

export interface SignInFormProps {
  way: SignInWay
  /** The person of the expired session, if any. */
  email: string
}

export function SignInForm({ way, email }: SignInFormProps) {
  return way.methods.includes('oidc') ? <OidcLink /> : <PasswordForm email={email} />
}

/** Goes to the identity provider and returns to the current URL. */
function OidcLink() {
  const back = window.location.pathname + window.location.search
  return (
    <>
      <p>{texts.signIn.oidcBody}</p>
      <a className="button button-primary" href={`/settings/oidc?returnTo=${encodeURIComponent(back)}`}>
        {texts.signIn.oidcSubmit}
      </a>
    </>
  )
}

function PasswordForm({ email: knownEmail }: { email: string }) {
  const store = useSessionStore()
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [isCodeAsked, setCodeAsked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const signIn = useAction(
    () => store.signIn({ email: email.trim(), password }),
    (answer) => ('factorRequired' in answer ? setCodeAsked(true) : setPassword('')),
  )
  const waitSeconds = useRetryWait(signIn.failure)

  useEffect(() => {
    if (signIn.failure) form.current?.querySelector<HTMLInputElement>('input[type="password"]')?.select()
  }, [signIn.failure])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (email && password && waitSeconds === 0) void signIn.run()
  }

  const back = () => {
    setPassword('')
    setCodeAsked(false)
  }

  if (isCodeAsked) return <CodeStep email={email.trim()} password={password} onBack={back} />
  return (
    <form ref={form} className="form" onSubmit={submit} noValidate>
      <TextInput
        label={texts.signIn.email}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
        autoFocus={!knownEmail}
      />
      <TextInput
        label={texts.signIn.password}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus={Boolean(knownEmail)}
      />
      {signIn.failure && (
        <Notice tone="warning" title={texts.signIn.failedTitle}>
          {signInFailureText(signIn.failure)}
        </Notice>
      )}
      <ActionButton look="primary" type="submit" isPending={signIn.isRunning} isDisabled={waitSeconds > 0}>
        {waitSeconds > 0 ? texts.signIn.submitIn(formatSeconds(waitSeconds)) : texts.signIn.submit}
      </ActionButton>
      <p className="hint">{texts.signIn.forgotten}</p>
    </form>
  )
}

function signInFailureText(failure: Failure): string {
  if (failure.kind === 'answer' && failure.status === 401) return texts.signIn.wrongPassword
  if (failure.kind === 'answer' && failure.status === 429) return texts.signIn.throttled
  return panelFailureText(failure)
}
