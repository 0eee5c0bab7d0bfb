// Shows a signing secret once, like the dialog of credentials: only its button closes it.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { WebhookWithSecret } from '../data/records.ts'
import { CopyField } from '../frame/copy-button.tsx'
import { PanelDialog } from '../frame/panel-dialog.tsx'
import { formatMoment } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'

export interface WebhookSecretDialogProps {
  title: string
  webhook: WebhookWithSecret
  onStored: () => void
}

export function WebhookSecretDialog({ title, webhook, onStored }: WebhookSecretDialogProps) {
  const { secret, previousSecretExpiresAt } = webhook
  return (
    <PanelDialog title={title}>
      <Notice tone="warning">{texts.webhooks.secretWarning}</Notice>
      <CopyField label={texts.webhooks.secret} text={secret} />
      {previousSecretExpiresAt && <p>{texts.webhooks.previousSigns(formatMoment(previousSecretExpiresAt))}</p>}
      <div className="button-row dialog-buttons">
        <ActionButton look="primary" onPress={onStored}>
          {texts.webhooks.secretStored}
        </ActionButton>
      </div>
    </PanelDialog>
  )
}
