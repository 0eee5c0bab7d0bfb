// The dialog in which the signature is made, the consent is read and the signing happens.
import '@fontsource/caveat/500.css'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { texts } from '../../locales/texts.ts'
import { SignatureForm, type SignatureFormProps } from './signature-form.tsx'

export interface SignatureDialogProps extends SignatureFormProps {
  isOpen: boolean
}

/** Can't be dismissed by accident: not by a press beside it, and not at all while the signing runs. */
export function SignatureDialog({ isOpen, ...form }: SignatureDialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isKeyboardDismissDisabled={form.signing.isSigning}
      onOpenChange={(open) => {
        if (!open) form.onClose()
      }}
    >
      <Modal className="dialog-frame">
        <Dialog className="dialog">
          <Heading slot="title">{texts.signature.title}</Heading>
          <SignatureForm {...form} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
