// The form for the ID and code printed in a seal. For a file without a readable ID it only asks for the ID.
import { type FormEvent, useState } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField } from 'react-aria-components/TextField'
import { ActionButton } from '../components/action-button.tsx'
import { texts } from '../locales/texts.ts'
import type { SignedFile } from './verification.ts'
import { readProof, readSignatureId } from './verify-input.ts'

export interface ProofFormProps {
  /** A file that was read and still needs its signature ID. */
  fileProof: SignedFile | undefined
  onProof: (id: string, h: string) => void
  onFileId: (file: SignedFile, id: string) => void
}

export function ProofForm({ fileProof, onProof, onFileId }: ProofFormProps) {
  const [idText, setIdText] = useState('')
  const [proofText, setProofText] = useState('')
  const [isTried, setTried] = useState(false)
  const id = readSignatureId(idText)
  const proof = readProof(proofText)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (id && fileProof) onFileId(fileProof, id)
    else if (id && proof) onProof(id, proof)
  }

  return (
    <form className="proof-form" onSubmit={submit} noValidate>
      <ProofField
        label={texts.verify.idLabel}
        hint={texts.verify.idHint}
        error={texts.verify.idInvalid}
        value={idText}
        onChange={setIdText}
        isInvalid={isTried && !id}
      />
      {!fileProof && (
        <ProofField
          label={texts.verify.codeLabel}
          hint={texts.verify.codeHint}
          error={texts.verify.codeInvalid}
          value={proofText}
          onChange={setProofText}
          isInvalid={isTried && !proof}
        />
      )}
      <ActionButton look="secondary" type="submit">
        {texts.verify.check}
      </ActionButton>
    </form>
  )
}

interface ProofFieldProps {
  label: string
  hint: string
  error: string
  value: string
  onChange: (value: string) => void
  isInvalid: boolean
}

function ProofField({ label, hint, error, ...field }: ProofFieldProps) {
  return (
    <TextField className="field" {...field} autoComplete="off" spellCheck="false">
      <Label>{label}</Label>
      <Input className="input input-code" autoCapitalize="off" autoCorrect="off" />
      <Text slot="description" className="hint">
        {hint}
      </Text>
      <FieldError className="field-error">{error}</FieldError>
    </TextField>
  )
}
