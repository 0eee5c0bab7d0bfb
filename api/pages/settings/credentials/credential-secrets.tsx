// Rotating a credential's secret, revoking the previous one early, and revoking the credential.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { Notice } from '../../components/notice.tsx'
import type { Credential, CredentialWithSecret } from '../data/records.ts'
import { useAction } from '../data/use-action.ts'
import { Section } from '../frame/area.tsx'
import { ConfirmDialog } from '../frame/confirm-dialog.tsx'
import { useFlash } from '../frame/flash.tsx'
import { formatMoment } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { useSessionStore } from '../session/session-context.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface CredentialSectionProps {
  credential: Credential
  onChange: () => void
}

export function RotateSection({ credential, onChange }: CredentialSectionProps) {
  const store = useSessionStore()
  const [isConfirming, setConfirming] = useState(false)
  const [rotated, setRotated] = useState<CredentialWithSecret>()
  const rotate = useAction(
    () => store.call<CredentialWithSecret>({ method: 'POST', path: `/credentials/${credential.id}/rotate-secret` }),
    (answer) => {
      setConfirming(false)
      setRotated(answer)
      onChange()
    },
  )
  const previousEnd = credential.previousSecretExpiresAt
  return (
    <Section title={texts.credentials.rotate} hint={texts.credentials.rotateBody}>
      {previousEnd && <PreviousSecret credential={credential} end={previousEnd} onChange={onChange} />}
      {!previousEnd && (
        <ActionButton look="secondary" onPress={() => setConfirming(true)}>
          {texts.credentials.rotateConfirm}
        </ActionButton>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={texts.credentials.rotateTitle}
          body={texts.credentials.rotateBody}
          confirm={texts.credentials.rotateConfirm}
          look="primary"
          action={rotate}
          onClose={() => setConfirming(false)}
        />
      )}
      {rotated && (
        <SecretDialog title={texts.credentials.rotatedTitle} credential={rotated} onStored={() => setRotated(undefined)} />
      )}
    </Section>
  )
}

function PreviousSecret({ credential, end, onChange }: CredentialSectionProps & { end: string }) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const endNow = useAction(
    () => store.call<undefined>({ method: 'POST', path: `/credentials/${credential.id}/revoke-previous-secret` }),
    () => {
      setConfirming(false)
      say(texts.credentials.previousEnded)
      onChange()
    },
  )
  return (
    <>
      <Notice tone="info">{texts.credentials.previousUntil(formatMoment(end))}</Notice>
      <ActionButton look="secondary" onPress={() => setConfirming(true)}>
        {texts.credentials.endPrevious}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.credentials.endPreviousTitle}
          body={texts.credentials.endPreviousBody}
          confirm={texts.credentials.endPrevious}
          look="danger"
          action={endNow}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

export function RevokeSection({ credential, onChange }: CredentialSectionProps) {
  const store = useSessionStore()
  const say = useFlash()
  const [isConfirming, setConfirming] = useState(false)
  const revoke = useAction(
    () => store.call<undefined>({ method: 'DELETE', path: `/credentials/${credential.id}` }),
    () => {
      setConfirming(false)
      say(texts.credentials.revokeDone(credential.name))
      onChange()
    },
  )
  return (
    <Section title={texts.credentials.revokeSection} hint={texts.credentials.revokeBody}>
      <ActionButton look="danger" onPress={() => setConfirming(true)}>
        {texts.credentials.revoke}
      </ActionButton>
      {isConfirming && (
        <ConfirmDialog
          title={texts.credentials.revokeTitle(credential.name)}
          body={texts.credentials.revokeDialog}
          confirm={texts.credentials.revoke}
          look="danger"
          action={revoke}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  )
}
