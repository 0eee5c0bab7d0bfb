// Replaces the recovery codes.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { RecoveryCodeList } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RenewCodesButton({ onChange }: { onChange: () => void }) {
  const store = useSessionStore()
  const [isConfirming, setConfirming] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const renew = useAction(
    () => store.call<RecoveryCodeList>({ method: 'POST', path: '/factor/recovery-codes' }),
    ({ recoveryCodes }) => {
      setConfirming(false)
      setCodes(recoveryCodes)
    },
  )
  const close = () => {
    setConfirming(false)
    renew.reset()
  }
  return (
    <>
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {texts.factor.renew}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.factor.renewTitle}
          body={texts.factor.renewBody}
          confirm={texts.factor.renew}
          look="primary"
          action={renew}
          onClose={close}
        />
      )}
      {codes && (
        <PanelDialog title={texts.factor.codesTitle}>
          <RecoveryCodes
            codes={codes}
            onStored={() => {
              setCodes(undefined)
              onChange()
            }}
          />
        </PanelDialog>
      )}
    </>
  )
}
