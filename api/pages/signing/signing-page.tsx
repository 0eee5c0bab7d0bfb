// The signing page: shows the current step. It holds the signature draft above the steps, so a failure or a second code
// does not lose it.
import { useState } from 'react'
import { PageFrame } from '../components/page-frame.tsx'
import { Spinner } from '../components/spinner.tsx'
import { texts } from '../locales/texts.ts'
import { ClosedCard, UnreachableCard } from './closed-card.tsx'
import { CodeStep } from './code/code-step.tsx'
import { DocumentsStep } from './documents/documents-step.tsx'
import { newSignatureDraft, type SignatureDraft } from './signature/signature-draft.ts'
import { SignedStep } from './signed/signed-step.tsx'
import { useCeremony } from './use-ceremony.ts'

export function SigningPage({ token }: { token: string }) {
  const [ceremony, dispatch] = useCeremony(token)
  const [draft, setDraft] = useState<SignatureDraft>(newSignatureDraft)

  switch (ceremony.step) {
    case 'loading':
      return (
        <PageFrame width="card">
          <Spinner label={texts.shared.loading} isLabelShown />
        </PageFrame>
      )
    case 'unreachable':
      return <UnreachableCard failure={ceremony.failure} onRetry={() => dispatch({ type: 'reload' })} />
    case 'closed':
      return <ClosedCard reason={ceremony.reason} onRetry={() => dispatch({ type: 'reload' })} />
    case 'code':
      return <CodeStep token={token} view={ceremony.view} permissionLost={ceremony.permissionLost} dispatch={dispatch} />
    case 'documents':
      return <DocumentsStep token={token} step={ceremony} signature={{ draft, setDraft }} dispatch={dispatch} />
    case 'signed':
    default:
      return <SignedStep token={token} view={ceremony.view} />
  }
}
