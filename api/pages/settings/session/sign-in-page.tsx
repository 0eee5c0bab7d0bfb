// The page for signing in, and the dialog after a session expired.
import { Notice } from '../../components/notice.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import type { OidcError } from './oidc-error.ts'
import type { SignInWay } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

export interface SignInPageProps {
  way: SignInWay
  isSignOut: boolean
  /** Why the identity provider's sign-in failed. */
  oidcError: OidcError | undefined
}

export function SignInPage({ way, isSignOut, oidcError }: SignInPageProps) {
  return (
    <PageFrame width="card" footer={<p>{texts.signIn.footer}</p>}>
      <div className="card">
        <StepHeading title={texts.signIn.title}>{texts.signIn.title}</StepHeading>
        {isSignOut && <Notice tone="info">{texts.signIn.signedOut}</Notice>}
        {oidcError && !isSignOut && (
          <Notice tone="warning" title={texts.signIn.failedTitle}>
            {texts.signIn.oidcErrors[oidcError]}
          </Notice>
        )}
        <SignInForm way={way} email="" />
      </div>
    </PageFrame>
  )
}

/** Covers the work in progress until its person signs in. */
export function SignInAgain({ way, email }: { way: SignInWay; email: string }) {
  return (
    <PanelDialog title={texts.signIn.againTitle}>
      <p>{texts.signIn.againBody}</p>
      <SignInForm way={way} email={email} />
    </PanelDialog>
  )
}
