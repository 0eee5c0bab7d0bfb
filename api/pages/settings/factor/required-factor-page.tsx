// Shown instead of the panel to people without the second factor that their organisation requires.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { useAction } from '../data/use-action.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { BeginForm } from './begin-form.tsx'
import { ConfirmBegun } from './confirm-begun.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { type SetUp, useSetUp } from './use-set-up.ts'

export function RequiredFactorPage() {
  const store = useSessionStore()
  const setUp = useSetUp()
  const { current } = setUp
  const title = current?.step === 'confirmed' ? texts.factor.codesTitle : texts.factor.requiredTitle
  const enter = () =>
    store.update((session) => {
      const { mustSetUpFactor: _, ...others } = session
      return others
    })
  return (
    <PageFrame width="card" footer={<p>{texts.signIn.footer}</p>}>
      <div className="card">
        <StepHeading title={title}>{title}</StepHeading>
        {!current && <Beginning setUp={setUp} />}
        {current?.step === 'begun' && <ConfirmBegun begun={current.begun} onConfirmed={setUp.confirm} onCancel={setUp.end} />}
        {current?.step === 'confirmed' && <RecoveryCodes codes={current.recoveryCodes} onStored={enter} />}
      </div>
    </PageFrame>
  )
}

function Beginning({ setUp: { begin } }: { setUp: SetUp }) {
  const store = useSessionStore()
  const leave = useAction(
    () => store.signOut('here'),
    () => {},
  )
  return (
    <>
      <p>{texts.factor.requiredBody}</p>
      <BeginForm begin={begin} />
      {leave.failure && <Notice tone="warning">{panelFailureText(leave.failure)}</Notice>}
      <div className="button-row">
        <ActionButton look="quiet" isPending={leave.isRunning} onPress={() => void leave.run()}>
          {texts.frame.signOut}
        </ActionButton>
      </div>
    </>
  )
}
