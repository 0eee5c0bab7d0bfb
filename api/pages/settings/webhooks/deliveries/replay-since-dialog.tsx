// Sends every event again whose delivery gave up since a time, after an outage of the receiver.
import { useState } from 'react'
import { ActionButton } from '../../../components/action-button.tsx'
import { texts as sharedTexts } from '../../../locales/texts.ts'
import { useAction } from '../../data/use-action.ts'
import { mergeErrors } from '../../forms/field-errors.ts'
import { PanelForm } from '../../forms/panel-form.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useFlash } from '../../frame/flash.tsx'
import { PanelDialog } from '../../frame/panel-dialog.tsx'
import { texts } from '../../locales/texts.ts'
import { useSessionStore } from '../../session/session-context.ts'
import { instantOf, localInputOf } from './local-time.ts'

const DAY_MS = 24 * 60 * 60_000

export interface ReplaySinceDialogProps {
  webhookId: string
  onDone: () => void
  onClose: () => void
}

export function ReplaySinceDialog({ webhookId, onDone, onClose }: ReplaySinceDialogProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [since, setSince] = useState(() => localInputOf(new Date(Date.now() - DAY_MS)))
  const [isTried, setTried] = useState(false)
  const replay = useAction(
    (instant: string) =>
      store.call<{ count: number }>({ method: 'POST', path: `/webhooks/${webhookId}/replay`, body: { since: instant } }),
    ({ count }) => {
      say(count > 0 ? texts.deliveries.resentAll(count) : texts.deliveries.resentNone)
      onClose()
      onDone()
    },
  )
  const instant = instantOf(since)
  const errors = mergeErrors(isTried && !instant ? { since: texts.deliveries.sinceInvalid } : {}, replay.failure)
  const submit = () => {
    setTried(true)
    if (instant) void replay.run(instant)
  }
  return (
    <PanelDialog title={texts.deliveries.resendAllTitle} onClose={replay.isRunning ? undefined : onClose}>
      <p>{texts.deliveries.resendAllBody}</p>
      <PanelForm
        errors={errors}
        failure={replay.failure}
        submit={texts.deliveries.resendAllSubmit}
        isRunning={replay.isRunning}
        onSubmit={submit}
        cancel={
          <ActionButton look="secondary" isDisabled={replay.isRunning} onPress={onClose}>
            {sharedTexts.shared.cancel}
          </ActionButton>
        }
      >
        <TextInput
          label={texts.deliveries.since}
          type="datetime-local"
          value={since}
          onChange={setSince}
          error={errors['since']}
          autoFocus
        />
      </PanelForm>
    </PanelDialog>
  )
}
