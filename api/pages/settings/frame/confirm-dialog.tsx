// Confirms an action that can't be undone. The button names the action; Cancel has the focus.
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { texts as sharedTexts } from '../../locales/texts.ts'
import type { Action } from '../data/use-action.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import { PanelDialog } from './panel-dialog.tsx'

export interface ConfirmDialogProps {
  title: string
  body: string
  confirm: string
  /** `danger` for destructive actions. */
  look: 'primary' | 'danger'
  action: Action<void>
  onClose: () => void
}

export function ConfirmDialog({ title, body, confirm, look, action, onClose }: ConfirmDialogProps) {
  return (
    <PanelDialog title={title} role="alertdialog" onClose={action.isRunning ? undefined : onClose}>
      <p>{body}</p>
      {action.failure && <Notice tone="warning">{panelFailureText(action.failure)}</Notice>}
      <div className="button-row dialog-buttons">
        <ActionButton look="secondary" autoFocus isDisabled={action.isRunning} onPress={onClose}>
          {sharedTexts.shared.cancel}
        </ActionButton>
        <ActionButton look={look} isPending={action.isRunning} onPress={() => void action.run()}>
          {confirm}
        </ActionButton>
      </div>
    </PanelDialog>
  )
}
