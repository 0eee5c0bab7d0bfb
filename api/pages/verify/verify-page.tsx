// The public verification page: the verdict if there is one, a drop zone for a file, and a form for the details printed in a seal.
import { useEffect, useRef } from 'react'
import { ActionButton } from '../components/action-button.tsx'
import { PageFrame } from '../components/page-frame.tsx'
import { StepHeading } from '../components/step-heading.tsx'
import { texts } from '../locales/texts.ts'
import { CheckState } from './check-state.tsx'
import { FileDrop } from './file-drop.tsx'
import { ProofForm } from './proof-form.tsx'
import { useVerification } from './use-verification.ts'

/** `link` is the verification that the page's own URL requests. */
export function VerifyPage({ link }: { link: { id: string; h: string } | undefined }) {
  const check = useVerification()
  const { verification, checkProof, checkFile, checkReadFile } = check
  useEffect(() => {
    if (link) void checkProof(link.id, link.h)
  }, [link, checkProof])

  const readFile = verification.phase === 'idless' ? verification.file : undefined
  const judgedId = verification.phase === 'judged' && !verification.file ? verification.verdicts[0]?.id : undefined
  const isAnswered = verification.phase === 'judged'
  const state = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (verification.phase !== 'idle') state.current?.focus()
  }, [verification.phase])
  return (
    <PageFrame width="card" footer={<HowItWorks />}>
      <div className="verify-intro">
        <StepHeading title={texts.verify.pageTitle}>{texts.verify.pageTitle}</StepHeading>
        <p>{texts.verify.intro}</p>
      </div>
      <div ref={state} tabIndex={-1} className="check-state">
        <CheckState verification={verification} onRetry={() => void check.retry()} />
      </div>
      {isAnswered ? (
        <>
          {judgedId && (
            <div className="card">
              <FileDrop isSecondary onFile={(file) => void checkFile(file, judgedId)} />
            </div>
          )}
          <ActionButton look="secondary" onPress={check.reset}>
            {texts.verify.another}
          </ActionButton>
        </>
      ) : (
        <div className="card">
          <FileDrop isSecondary={false} onFile={(file) => void checkFile(file, undefined)} />
          <p className="or">{texts.verify.or}</p>
          <ProofForm
            key={readFile?.sha256}
            fileProof={readFile}
            onProof={(id, h) => void checkProof(id, h)}
            onFileId={(file, id) => void checkReadFile(file, id)}
          />
        </div>
      )}
    </PageFrame>
  )
}

function HowItWorks() {
  return (
    <section className="how">
      <h2>{texts.verify.howTitle}</h2>
      <p>{texts.verify.howBody}</p>
    </section>
  )
}
