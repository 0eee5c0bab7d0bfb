// The secret for the authenticator app, as a QR code and as text, and the first code that confirms it.
import type { BegunFactor, RecoveryCodeList } from '../data/records.ts'
import { CopyField } from '../frame/copy-button.tsx'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { CodeForm } from './code-form.tsx'
import { QrCode } from './qr-code.tsx'

export interface ConfirmBegunProps {
  begun: BegunFactor
  onConfirmed: (recoveryCodes: string[]) => void
  onCancel?: (() => void) | undefined
}

export function ConfirmBegun({ begun: { otpauthUri, secret }, onConfirmed, onCancel }: ConfirmBegunProps) {
  const store = useSessionStore()
  return (
    <>
      <p>{texts.factor.scan}</p>
      <QrCode text={otpauthUri} label={texts.factor.qr} />
      <CopyField label={texts.factor.typeInstead} text={secret} />
      <CodeForm
        kind="app"
        submit={texts.factor.confirm}
        send={(code) => store.call<RecoveryCodeList>({ method: 'POST', path: '/factor/confirm', body: { code } })}
        onDone={({ recoveryCodes }) => onConfirmed(recoveryCodes)}
        onCancel={onCancel}
      />
    </>
  )
}
