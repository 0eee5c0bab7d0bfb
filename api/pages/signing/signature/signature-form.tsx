// The content of the signature dialog: draw or type, the consent, and the sign button.
import { useRef, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { Notice } from '../../components/notice.tsx'
import { useRetryWait } from '../../components/retry.tsx'
import type { Failure } from '../../http/failure.ts'
import { failureText } from '../../locales/failure-text.ts'
import { texts } from '../../locales/texts.ts'
import type { SignAction } from '../documents/use-sign.ts'
import type { SignatureDraft } from './signature-draft.ts'
import { DrawField, type SignatureFieldProps, TypeField } from './signature-fields.tsx'
import { exportInk } from './signature-image.ts'
import { useTypedImage } from './use-typed-image.ts'

export interface SignatureFormProps extends SignatureFieldProps {
  onClose: () => void
  signerName: string
  /** What the signer agrees to. */
  consent: string
  documentCount: number
  signing: SignAction
}

export function SignatureForm({ draft, setDraft, signerName, consent, documentCount, signing, onClose }: SignatureFormProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [emptyDraft, setEmptyDraft] = useState<SignatureDraft>()
  const waitSeconds = useRetryWait(signing.failure)
  const typedName = draft.typedName ?? signerName
  const typedImage = useTypedImage(typedName)

  const signNow = async () => {
    const image = draft.way === 'draw' ? canvas.current && exportInk(canvas.current) : typedImage
    if (image) await signing.signWith(image)
    else setEmptyDraft(draft)
  }

  return (
    <>
      <Tabs
        className="tabs"
        selectedKey={draft.way}
        onSelectionChange={(way) => setDraft((before) => ({ ...before, way: way === 'type' ? 'type' : 'draw' }))}
      >
        <TabList className="tab-list" aria-label={texts.signature.ways}>
          <Tab id="draw" className="tab">
            {texts.signature.draw}
          </Tab>
          <Tab id="type" className="tab">
            {texts.signature.type}
          </Tab>
        </TabList>
        <TabPanel id="draw" className="tab-panel">
          <DrawField canvas={canvas} draft={draft} setDraft={setDraft} />
        </TabPanel>
        <TabPanel id="type" className="tab-panel">
          <TypeField name={typedName} image={typedImage} setDraft={setDraft} />
        </TabPanel>
      </Tabs>
      <p className="consent">{consent}</p>
      {emptyDraft === draft && (
        <Notice tone="warning">{draft.way === 'draw' ? texts.signature.missingDrawn : texts.signature.missingTyped}</Notice>
      )}
      {signing.failure && <SignFailure failure={signing.failure} />}
      <div className="button-row dialog-buttons">
        <ActionButton look="secondary" isDisabled={signing.isSigning} onPress={onClose}>
          {texts.shared.cancel}
        </ActionButton>
        <ActionButton look="primary" isPending={signing.isSigning} isDisabled={waitSeconds > 0} onPress={() => void signNow()}>
          {waitSeconds > 0 ? texts.shared.tryAgainIn(formatSeconds(waitSeconds)) : texts.signature.sign(documentCount)}
        </ActionButton>
      </div>
    </>
  )
}

// Without a response the signature may have been recorded, so the message does not say that it was not.
function SignFailure({ failure }: { failure: Failure }) {
  const isUncertain = failure.kind === 'network'
  return (
    <Notice tone="warning" title={isUncertain ? texts.signature.uncertainTitle : texts.signature.failedTitle}>
      {isUncertain ? texts.signature.uncertainBody : failureText(failure, texts)}
    </Notice>
  )
}
