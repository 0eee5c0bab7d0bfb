// The dialog in which the signer creates the signature, reads the consent and signs.
import '@fontsource/caveat/500.css'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { texts } from '../../locales/texts.ts'
import { SignatureForm, type SignatureFormProps } from './signature-form.tsx'

export interface SignatureDialogProps extends SignatureFormProps {
  isOpen: boolean
}

/** A press outside does not close it, and nothing closes it while signing runs. */
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
