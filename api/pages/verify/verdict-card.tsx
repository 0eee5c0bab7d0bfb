// The verdict. A valid one names every signer found, then the file; a negative one lists possible causes. The service's message is
// always shown: it also says whether the installation seals with a self-signed key.
import type { ReactNode } from 'react'
import { CheckIcon, CrossIcon } from '../components/icons.tsx'
import { formatTime, texts } from '../locales/texts.ts'
import type { SignedFile, Verdict } from './verification.ts'

export interface VerdictCardProps {
  /** All valid verdicts or one negative verdict, from worthShowing. */
  verdicts: readonly Verdict[]
  file: SignedFile | undefined
}

export function VerdictCard({ verdicts, file }: VerdictCardProps) {
  const isValid = verdicts.every((verdict) => verdict.result.valid)
  const messages = [...new Set(verdicts.map((verdict) => verdict.result.message))]
  return (
    <article className={`card verdict verdict-${isValid ? 'valid' : 'invalid'}`}>
      {isValid ? <Confirmed verdicts={verdicts} file={file} /> : <Refused verdicts={verdicts} />}
      {messages.map((message) => (
        <p key={message} className="service-message">
          <span className="muted">{texts.shared.fromService}:</span> <span lang="en">{message}</span>
        </p>
      ))}
    </article>
  )
}

function Confirmed({ verdicts, file }: VerdictCardProps) {
  return (
    <>
      <header>
        <span className="badge badge-success">
          <CheckIcon />
        </span>
        <h2>{file ? texts.verify.validFileTitle(verdicts.length) : texts.verify.validTitle}</h2>
      </header>
      {verdicts.map((verdict) => (
        <SignatureFacts key={verdict.id} verdict={verdict} />
      ))}
      <EnvelopeFacts envelopeId={verdicts[0]?.result.envelopeId} file={file} />
    </>
  )
}

function Refused({ verdicts }: Pick<VerdictCardProps, 'verdicts'>) {
  // The service names the signer once the ID matches the code or fingerprint; then its message already gives the cause.
  const isUnknown = verdicts.every((verdict) => verdict.result.signerName === undefined)
  return (
    <>
      <header>
        <span className="badge badge-warning">
          <CrossIcon />
        </span>
        <h2>{texts.verify.invalidTitle}</h2>
      </header>
      {isUnknown && <p>{texts.verify.invalidBody}</p>}
    </>
  )
}

function SignatureFacts({ verdict }: { verdict: Verdict }) {
  const { signerName, signerEmail, signedAt } = verdict.result
  return (
    <Facts
      facts={[
        [texts.verify.signer, signerName],
        [texts.verify.email, signerEmail],
        [texts.verify.time, signedAt && formatTime(signedAt)],
        [texts.verify.signatureId, <code>{verdict.id}</code>],
      ]}
    />
  )
}

function EnvelopeFacts({ envelopeId, file }: { envelopeId: string | undefined; file: SignedFile | undefined }) {
  return (
    <Facts
      facts={[
        [texts.verify.envelope, envelopeId && <code>{envelopeId}</code>],
        [texts.verify.file, file?.name],
        [texts.verify.fingerprint, file && <code>{file.sha256}</code>],
      ]}
    />
  )
}

function Facts({ facts }: { facts: readonly [name: string, value: ReactNode][] }) {
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
