// The step in which a signer confirms access to the mailbox with an emailed code.
import { type Dispatch, useCallback } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { formatSeconds } from '../../components/countdown.ts'
import { Notice } from '../../components/notice.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { useRetryWait } from '../../components/retry.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { failureText } from '../../locales/failure-text.ts'
import { texts } from '../../locales/texts.ts'
import type { CeremonyEvent } from '../ceremony.ts'
import type { SigningView } from '../ceremony-client.ts'
import { SenderNote } from '../sender-note.tsx'
import { CodeForm } from './code-form.tsx'
import { type CodeActions, type CodeTrouble, useCode } from './use-code.ts'

export interface CodeStepProps {
  token: string
  view: SigningView
  permissionLost: boolean
  dispatch: Dispatch<CeremonyEvent>
}

export function CodeStep({ token, view, permissionLost, dispatch }: CodeStepProps) {
  const onVerified = useCallback(() => dispatch({ type: 'reload' }), [dispatch])
  const code = useCode({ token, view, onVerified, onFailure: (failure) => dispatch({ type: 'failed', failure }) })
  const waitSeconds = useRetryWait(code.trouble.failure)
  return (
    <PageFrame width="card" footer={<p>{texts.documents.personal(view.signerName)}</p>}>
      <div className="card">
        <p className="eyebrow">{texts.code.eyebrow}</p>
        <p className="envelope-title">{view.envelopeTitle}</p>
        <SenderNote view={view} />
        <hr />
        <StepHeading title={texts.code.title}>{texts.code.title}</StepHeading>
        {permissionLost && <Notice tone="info">{texts.code.permissionLost}</Notice>}
        {code.entry.resendAtMs === undefined ? (
          <FirstCode code={code} view={view} waitSeconds={waitSeconds} />
        ) : (
          <CodeForm code={code} email={view.signerEmail} waitSeconds={waitSeconds}>
            <Trouble trouble={code.trouble} />
          </CodeForm>
        )}
      </div>
    </PageFrame>
  )
}

function FirstCode({ code, view, waitSeconds }: { code: CodeActions; view: SigningView; waitSeconds: number }) {
  return (
    <>
      <p>
        {texts.code.intro(view.signerName)}
        <br />
        <strong>{view.signerEmail}</strong>
      </p>
      <Trouble trouble={code.trouble} />
      <ActionButton
        look="primary"
        isPending={code.busy === 'sending'}
        isDisabled={waitSeconds > 0}
        onPress={() => void code.send()}
      >
        {waitSeconds > 0 ? texts.shared.tryAgainIn(formatSeconds(waitSeconds)) : texts.code.send}
      </ActionButton>
    </>
  )
}

function Trouble({ trouble }: { trouble: CodeTrouble }) {
  if (trouble.failure) return <Notice tone="warning">{failureText(trouble.failure, texts)}</Notice>
  if (trouble.triesLeft === undefined) return null
  return (
    <Notice tone="warning" title={texts.code.wrongTitle}>
      <p>{texts.code.triesLeft(trouble.triesLeft)}</p>
    </Notice>
  )
}
