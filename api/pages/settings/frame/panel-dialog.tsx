// A dialog of the panel. The focus goes into it and afterwards back to where it was; while something runs it can't be left.
import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface PanelDialogProps {
  title: string
  /** `alertdialog` for what can't be undone. */
  role?: 'dialog' | 'alertdialog'
  /** Absent where the only way out is a button inside. */
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
