// Removes the second factor with a code of it.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { useFlash } from '../frame/flash.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { CodeForm } from './code-form.tsx'

export function RemoveFactorButton({ onRemoved }: { onRemoved: () => void }) {
  const store = useSessionStore()
  const say = useFlash()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <ActionButton look="danger" onPress={() => setAsking(true)}>
        {texts.factor.remove}
      </ActionButton>
      {isAsking && (
        <PanelDialog title={texts.factor.removeTitle} onClose={close}>
          <p>{texts.factor.removeBody}</p>
          <CodeForm
            kind="either"
            submit={texts.factor.remove}
            send={(code) => store.call<undefined>({ method: 'DELETE', path: '/factor', body: { code } })}
            onDone={() => {
              close()
              say(texts.factor.removed)
              onRemoved()
            }}
            onCancel={close}
          />
        </PanelDialog>
      )}
    </>
  )
}
