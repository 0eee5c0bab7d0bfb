// A person's own access: identity, password, second factor, and sign-out everywhere.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { FactorSection } from '../factor/factor-section.tsx'
import { ResourceView } from '../data/resource-view.tsx'
import { useAction } from '../data/use-action.ts'
import { useResource } from '../data/use-resource.ts'
import { Area, Section } from '../frame/area.tsx'
import { Facts } from '../frame/parts.tsx'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import type { SignInWay } from '../session/session.ts'
import { useSession, useSessionStore } from '../session/session-context.ts'
import { PasswordForm } from './password-form.tsx'

export function AccountArea() {
  const { admin } = useSession()
  const way = useResource<SignInWay>('/sign-in')
  return (
    <Area title={texts.account.title} lead={texts.account.lead}>
      <div className="sheet">
        <Facts
          facts={[
            [texts.people.name, admin.name],
            [texts.people.email, admin.email],
            [texts.people.role, texts.frame.roles[admin.role]],
          ]}
        />
      </div>
      <ResourceView resource={way}>
        {({ methods }) =>
          methods.includes('password') ? (
            <>
              <Section title={texts.account.password} hint={texts.account.passwordHint}>
                <PasswordForm />
              </Section>
              <FactorSection />
            </>
          ) : (
            <Section title={texts.factor.title}>
              <p className="muted">{texts.factor.providerHint}</p>
            </Section>
          )
        }
      </ResourceView>
      <SessionsSection />
    </Area>
  )
}

function SessionsSection() {
  const store = useSessionStore()
  const leave = useAction(
    () => store.signOut('everywhere'),
    () => {},
  )
  return (
    <Section title={texts.account.sessions} hint={texts.account.sessionsHint}>
      {leave.failure && <Notice tone="warning">{panelFailureText(leave.failure)}</Notice>}
      <ActionButton look="secondary" isPending={leave.isRunning} onPress={() => void leave.run()}>
        {texts.account.signOutEverywhere}
      </ActionButton>
    </Section>
  )
}
