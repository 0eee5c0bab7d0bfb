// Asks for a code when a change needs a recent proof of the second factor. The change then goes on by itself.
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { CodeForm } from './code-form.tsx'

export function StepUpDialog() {
  const store = useSessionStore()
  return (
    <PanelDialog title={texts.factor.stepUpTitle} onClose={store.declineStepUp}>
      <p>{texts.factor.stepUpBody}</p>
      <CodeForm
        kind="either"
        submit={texts.factor.stepUpSubmit}
        send={store.stepUp}
        onDone={() => {}}
        onCancel={store.declineStepUp}
      />
    </PanelDialog>
  )
}
