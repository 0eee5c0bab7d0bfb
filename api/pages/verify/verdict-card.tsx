// The verdict on one signature: who and when if it is valid, and in every case the service's own message, which also says when the
// installation seals with a self-made key.
import type { ReactNode } from 'react'
import { CheckIcon, CrossIcon } from '../components/icons.tsx'
import { formatTime, texts } from '../locales/texts.ts'
import type { SignedFile, Verdict } from './verification.ts'

export function VerdictCard({ verdict, file }: { verdict: Verdict; file: SignedFile | undefined }) {
  const { valid, message, signerName } = verdict.result
  // The service names the signer once ID and code or fingerprint fit together: then it knows itself what is wrong.
  const isUnknown = !valid && signerName === undefined
  const validTitle = file ? texts.verify.validFileTitle : texts.verify.validTitle
  return (
    <article className={`card verdict verdict-${valid ? 'valid' : 'invalid'}`}>
      <header>
        <span className={`badge badge-${valid ? 'success' : 'warning'}`}>{valid ? <CheckIcon /> : <CrossIcon />}</span>
        <h2>{valid ? validTitle : texts.verify.invalidTitle}</h2>
      </header>
      {isUnknown && <p>{texts.verify.invalidBody}</p>}
      {valid && <Facts verdict={verdict} file={file} />}
      <p className="service-message">
        <span className="muted">{texts.shared.fromService}:</span> <span lang="en">{message}</span>
      </p>
    </article>
  )
}

function Facts({ verdict, file }: { verdict: Verdict; file: SignedFile | undefined }) {
  const { signerName, signerEmail, signedAt, envelopeId } = verdict.result
  const facts: [name: string, value: ReactNode][] = [
    [texts.verify.signer, signerName],
    [texts.verify.email, signerEmail],
    [texts.verify.time, signedAt && formatTime(signedAt)],
    [texts.verify.signatureId, <code>{verdict.id}</code>],
    [texts.verify.envelope, envelopeId && <code>{envelopeId}</code>],
    [texts.verify.file, file?.name],
    [texts.verify.fingerprint, file && <code>{file.sha256}</code>],
  ]
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
