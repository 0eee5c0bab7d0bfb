// Shows a new secret once. Nothing else stores it: the dialog can't be dismissed by accident, and closing it discards the secret.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { CredentialWithSecret } from '../data/records.ts'
import { CopyField } from '../frame/copy-button.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { formatMoment } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'

export interface SecretDialogProps {
  title: string
  credential: CredentialWithSecret
  onStored: () => void
}

export function SecretDialog({ title, credential, onStored }: SecretDialogProps) {
  const { clientId, clientSecret, previousSecretExpiresAt } = credential
  return (
    <PanelDialog title={title}>
      <Notice tone="warning">{texts.credentials.secretWarning}</Notice>
      <CopyField label={texts.credentials.clientId} text={clientId} />
      <CopyField label={texts.credentials.clientSecret} text={clientSecret} />
      {previousSecretExpiresAt && <p>{texts.credentials.previousUntil(formatMoment(previousSecretExpiresAt))}</p>}
      <div className="button-row dialog-buttons">
        <ActionButton look="primary" onPress={onStored}>
          {texts.credentials.secretStored}
        </ActionButton>
      </div>
    </PanelDialog>
  )
}
