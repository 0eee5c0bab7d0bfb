// The two ways to create a signature: drawing, or a typed name in handwriting.
import type { Dispatch, RefObject, SetStateAction } from 'react'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField } from 'react-aria-components/TextField'
import { ActionButton } from '../../components/action-button.tsx'
import { texts } from '../../locales/texts.ts'
import type { SignatureDraft } from './signature-draft.ts'
import { useSignaturePad } from './use-signature-pad.ts'

export interface SignatureFieldProps {
  draft: SignatureDraft
  setDraft: Dispatch<SetStateAction<SignatureDraft>>
}

// The API's limit for signer names (decisions, fields).
const MAX_NAME_LENGTH = 255

export function DrawField({ canvas, draft, setDraft }: SignatureFieldProps & { canvas: RefObject<HTMLCanvasElement | null> }) {
  const clear = useSignaturePad(canvas, draft, setDraft)
  const isEmpty = draft.strokes.length === 0
  return (
    <div className="signature-paper">
      <canvas ref={canvas} className="signature-canvas" role="img" aria-label={texts.signature.drawLabel} />
      {isEmpty && (
        <p className="signature-hint" aria-hidden="true">
          {texts.signature.drawHere}
        </p>
      )}
      <div className="signature-clear">
        <ActionButton look="quiet" isDisabled={isEmpty} onPress={clear}>
          {texts.signature.clear}
        </ActionButton>
      </div>
    </div>
  )
}

/** `image` is the image to be sent, so the preview can't differ from it. */
export function TypeField({
  name,
  image,
  setDraft,
}: Pick<SignatureFieldProps, 'setDraft'> & { name: string; image: string | undefined }) {
  return (
    <>
      <div className="signature-paper">
        {image && (
          <img className="signature-typed" src={`data:image/png;base64,${image}`} alt={texts.signature.typedPreview(name)} />
        )}
      </div>
      <TextField
        className="field"
        value={name}
        onChange={(typedName) => setDraft((before) => ({ ...before, typedName }))}
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
      >
        <Label>{texts.signature.typedLabel}</Label>
        <Input className="input" />
      </TextField>
    </>
  )
}
