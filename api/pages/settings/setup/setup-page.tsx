// Sets the first password with a one-time link. The token is only kept in memory until it is used.
import { useState } from 'react'
import { CheckIcon, InfoIcon } from '../../components/icons.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { callApi } from '../../http/call-api.ts'
import { codeOf } from '../../http/failure.ts'
import { useAction } from '../data/use-action.ts'
import { mergeErrors } from '../forms/field-errors.ts'
import { PanelForm } from '../forms/panel-form.tsx'
import { TextInput } from '../forms/text-input.tsx'
import { texts } from '../locales/texts.ts'
import { MIN_PASSWORD_CHARACTERS, passwordError } from '../forms/password-rules.ts'

export function SetupPage({ token }: { token: string }) {
  const [isDone, setDone] = useState(false)
  return (
    <PageFrame width="card" footer={<p>{texts.signIn.footer}</p>}>
      {isDone ? <DoneCard /> : token ? <PasswordCard token={token} onDone={() => setDone(true)} /> : <MissingCard />}
    </PageFrame>
  )
}

function PasswordCard({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isTried, setTried] = useState(false)
  const save = useAction(
    () => callApi<undefined>({ method: 'POST', path: '/settings/api/password', body: { setupToken: token, password } }),
    () => {
      setPassword('')
      onDone()
    },
  )
  const error = passwordError(password)
  const submit = () => {
    setTried(true)
    if (!error) void save.run()
  }
  const code = save.failure && codeOf(save.failure)
  if (code === 'SETUP_LINK_NOT_FOUND') return <GoneCard />
  if (code === 'PASSWORD_SIGN_IN_OFF') return <OidcCard />
  const isWeak = code === 'PASSWORD_TOO_WEAK'
  const errors = mergeErrors({ password: weakOr(isWeak, isTried ? error : undefined) }, save.failure)
  return (
    <div className="card">
      <StepHeading title={texts.setup.title}>{texts.setup.title}</StepHeading>
      <p>{texts.setup.body}</p>
      <PanelForm
        errors={errors}
        failure={isWeak ? undefined : save.failure}
        submit={texts.setup.submit}
        isRunning={save.isRunning}
        onSubmit={submit}
      >
        <TextInput
          label={texts.setup.password}
          type={isShown ? 'text' : 'password'}
          value={password}
          onChange={setPassword}
          hint={texts.setup.rule(MIN_PASSWORD_CHARACTERS)}
          error={errors['password']}
          autoComplete="new-password"
          autoFocus
        />
        <label className="check">
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
          {texts.setup.show}
        </label>
      </PanelForm>
    </div>
  )
}

function weakOr(isWeak: boolean, error: string | undefined): string | undefined {
  return error ?? (isWeak ? texts.errors.byCode.PASSWORD_TOO_WEAK : undefined)
}

function OidcCard() {
  return (
    <MessageCard tone="neutral" icon={<InfoIcon />} title={texts.setup.oidcTitle}>
      <p>{texts.signIn.oidcBody}</p>
      <a className="button button-primary" href="/settings">
        {texts.setup.toSignIn}
      </a>
    </MessageCard>
  )
}

function DoneCard() {
  return (
    <MessageCard tone="success" icon={<CheckIcon />} title={texts.setup.doneTitle}>
      <p>{texts.setup.doneBody}</p>
      <a className="button button-primary" href="/settings">
        {texts.setup.toSignIn}
      </a>
    </MessageCard>
  )
}

function MissingCard() {
  return (
    <MessageCard tone="neutral" icon={<InfoIcon />} title={texts.setup.missingTitle}>
      <p>{texts.setup.missingBody}</p>
    </MessageCard>
  )
}

function GoneCard() {
  return (
    <MessageCard tone="warning" icon={<InfoIcon />} title={texts.setup.goneTitle}>
      <p>{texts.setup.goneBody}</p>
    </MessageCard>
  )
}
