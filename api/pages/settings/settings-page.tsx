// The panel. The session decides what is shown; after an expired session the sign-in dialog opens above the work in progress.
import { lazy, Suspense, useEffect, useState } from 'react'
import { PageFrame } from '../components/page-frame.tsx'
import { Retry } from '../components/retry.tsx'
import { Spinner } from '../components/spinner.tsx'
import { panelFailureText } from './locales/panel-failure-text.ts'
import { texts } from './locales/texts.ts'
import { PanelFrame } from './frame/panel-frame.tsx'
import { StepUpDialog } from './factor/step-up-dialog.tsx'
import { CurrentArea } from './current-area.tsx'
import type { OidcError } from './session/oidc-error.ts'
import { workKey } from './session/session.ts'
import { SessionStoreProvider, useSessionState, useSessionStore } from './session/session-context.ts'
import { openSessionStore } from './session/session-store.ts'
import { SignInAgain, SignInPage } from './session/sign-in-page.tsx'

const RequiredFactorPage = lazy(async () => ({ default: (await import('./factor/required-factor-page.tsx')).RequiredFactorPage }))

export function SettingsPage({ oidcError }: { oidcError: OidcError | undefined }) {
  const [store] = useState(() => openSessionStore())
  return (
    <SessionStoreProvider value={store}>
      <Panel oidcError={oidcError} />
    </SessionStoreProvider>
  )
}

function Panel({ oidcError }: { oidcError: OidcError | undefined }) {
  const store = useSessionStore()
  const state = useSessionState()
  useEffect(() => void store.check(), [store])

  switch (state.phase) {
    case 'checking':
      return (
        <PageFrame width="card">
          <Spinner label={texts.words.loading} isLabelShown />
        </PageFrame>
      )
    case 'unreachable':
      return (
        <PageFrame width="card">
          <Retry
            failure={state.failure}
            title={texts.frame.failedTitle}
            text={panelFailureText(state.failure)}
            onRetry={() => void store.check()}
          />
        </PageFrame>
      )
    case 'signed-out':
      return <SignInPage way={state.way} isSignOut={state.isSignOut} oidcError={oidcError} />
    case 'signed-in':
    case 'expired':
    default:
      return (
        <>
          {state.session.mustSetUpFactor ? (
            <Suspense fallback={<Spinner label={texts.words.loading} isLabelShown={false} />}>
              <RequiredFactorPage />
            </Suspense>
          ) : (
            <PanelFrame key={workKey(state.session)}>
              <CurrentArea />
            </PanelFrame>
          )}
          {state.phase === 'signed-in' && state.proof === 'wanted' && <StepUpDialog />}
          {state.phase === 'expired' && <SignInAgain way={state.way} email={state.session.admin.email} />}
        </>
      )
  }
}
