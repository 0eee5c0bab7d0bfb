// The verdict: refusals first, then every signer whose signature was confirmed, then the file. The service's message is always shown: it also says
// whether the installation seals with a self-signed key.
import type { ReactNode } from 'react'
import { ActionButton } from '../components/action-button.tsx'
import { CheckIcon, CrossIcon, WarningIcon } from '../components/icons.tsx'
import { saveFile } from '../http/save-file.ts'
import { formatTime, texts } from '../locales/texts.ts'
import { isExtended, isRefusal, type SignedFile, type Verdict } from './verification.ts'

export interface VerdictCardProps {
  /** Refusals first, from worthShowing. */
  verdicts: readonly Verdict[]
  file: SignedFile | undefined
}

export function VerdictCard({ verdicts, file }: VerdictCardProps) {
  const refused = verdicts.filter(isRefusal)
  const extended = verdicts.filter((verdict) => !isRefusal(verdict) && isExtended(verdict))
  const confirmed = verdicts.filter((verdict) => !isRefusal(verdict) && !isExtended(verdict))
  return (
    <>
      {refused.length > 0 && (
        <Card verdicts={refused} look="invalid">
          <Refused verdicts={refused} file={file} />
        </Card>
      )}
      {extended.length > 0 && (
        <Card verdicts={extended} look="extended">
          <Extended verdicts={extended} file={file} />
        </Card>
      )}
      {confirmed.length > 0 && (
        <Card verdicts={confirmed} look="valid">
          <Confirmed verdicts={confirmed} file={file} />
        </Card>
      )}
    </>
  )
}

function Card({
  verdicts,
  look,
  children,
}: {
  verdicts: readonly Verdict[]
  look: 'valid' | 'extended' | 'invalid'
  children: ReactNode
}) {
  const messages = [...new Set(verdicts.map((verdict) => verdict.result.message))]
  return (
    <article className={`card verdict verdict-${look}`}>
      {children}
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
        <h2>{file ? texts.verify.validFileTitle(verdicts.length) : texts.verify.onRecordTitle}</h2>
      </header>
      {!file && <p>{texts.verify.onRecordBody}</p>}
      {verdicts.map((verdict) => (
        <SignatureFacts key={verdict.id} id={verdict.id} result={verdict.result} />
      ))}
      <EnvelopeFacts envelopeId={verdicts[0]?.result.envelopeId} file={file} />
    </>
  )
}

/** The service's message is about the sealed part, which the visitor can save; the page cannot judge what was added to it. */
function Extended({ verdicts, file }: VerdictCardProps) {
  const sealedPart = verdicts[0]?.sealedPart
  if (sealedPart === undefined || file === undefined) return null
  const { bytes, sha256, laterSignatures } = sealedPart
  return (
    <>
      <header>
        <span className="badge badge-warning">
          <WarningIcon />
        </span>
        <h2>{texts.verify.extendedTitle(file.name)}</h2>
      </header>
      <p>{texts.verify.extendedBody(laterSignatures)}</p>
      <ActionButton
        look="secondary"
        onPress={() => saveFile(file.content.slice(0, bytes, 'application/pdf'), `sealed-${file.name}`)}
      >
        {texts.verify.saveSealed}
      </ActionButton>
      {verdicts.map(({ id, result }) => (
        <SignatureFacts key={id} id={id} result={result} />
      ))}
      <Facts facts={[[texts.verify.sealedFingerprint, <code>{sha256}</code>]]} />
      <EnvelopeFacts envelopeId={verdicts[0]?.result.envelopeId} file={file} />
    </>
  )
}

function Refused({ verdicts, file }: VerdictCardProps) {
  const otherFile = verdicts.some(({ onRecord }) => onRecord !== undefined)
  // The service names the signer once the ID matches the code or fingerprint; then its message already gives the cause.
  const isUnknown = !otherFile && verdicts.every((verdict) => verdict.result.signerName === undefined)
  return (
    <>
      <header>
        <span className="badge badge-danger">
          <CrossIcon />
        </span>
        <h2>{otherFile && file ? texts.verify.otherFileTitle(file.name) : texts.verify.invalidTitle}</h2>
      </header>
      {otherFile && <p>{texts.verify.otherFileBody}</p>}
      {isUnknown && <p>{texts.verify.invalidBody}</p>}
      {verdicts.map(({ id, result, onRecord }) => (
        <SignatureFacts key={id} id={id} result={onRecord ?? result} />
      ))}
      {file && <EnvelopeFacts envelopeId={undefined} file={file} />}
    </>
  )
}

function SignatureFacts({ id, result }: { id: string; result: Verdict['result'] }) {
  const { signerName, signerEmail, signedAt } = result
  return (
    <Facts
      facts={[
        [texts.verify.signer, signerName],
        [texts.verify.email, signerEmail],
        [texts.verify.time, signedAt && formatTime(signedAt)],
        [texts.verify.signatureId, <code>{id}</code>],
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
