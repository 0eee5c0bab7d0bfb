// A dialog of the panel. It takes the focus and returns it when closed; it can't be closed while an action runs.
import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface PanelDialogProps {
  title: string
  /** `alertdialog` for actions that can't be undone. */
  role?: 'dialog' | 'alertdialog'
  /** Absent if only a button inside closes it. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

export function PanelDialog({ title, role = 'dialog', onClose, children }: PanelDialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isKeyboardDismissDisabled={!onClose}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.()
      }}
    >
      <Modal className="dialog-frame">
        <Dialog className="dialog" role={role}>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
