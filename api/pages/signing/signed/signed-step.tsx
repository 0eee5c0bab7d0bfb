// Shown after signing and on every later visit: what was signed, and the downloads of the signed copies.
import { ActionButton } from '../../components/action-button.tsx'
import { CheckIcon, DownloadIcon } from '../../components/icons.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { Retry } from '../../components/retry.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { texts } from '../../locales/texts.ts'
import type { SignedDocument, SigningView } from '../ceremony-client.ts'
import { type SignedCopyAction, useSignedCopy } from './use-signed-copy.ts'

export interface SignedStepProps {
  token: string
  view: SigningView
}

export function SignedStep({ token, view }: SignedStepProps) {
  const signedCopy = useSignedCopy(token)
  return (
    <PageFrame width="card" footer={<a href="/verify">{texts.shared.verifyLink}</a>}>
      <MessageCard tone="success" icon={<CheckIcon />} title={texts.signed.title}>
        <p>{texts.signed.thanks(view.envelopeTitle, view.signerName)}</p>
        <hr />
        <Copies {...signedCopy} />
      </MessageCard>
    </PageFrame>
  )
}

function Copies({ copy, isFollowing, askAgain }: SignedCopyAction) {
  if (copy.failure) return <Retry failure={copy.failure} title={texts.signed.failedTitle} onRetry={askAgain} />
  if (!copy.status) return <Spinner label={texts.signed.checking} isLabelShown />
  const text = texts.signed.copies[copy.status]
  return (
    <div className="copies" role="status">
      <h2>{text.title}</h2>
      <p className="muted">{text.body}</p>
      {copy.status === 'sealing' && isFollowing && <Spinner label={text.title} isLabelShown={false} />}
      {copy.status === 'ready' && <Downloads documents={copy.documents} />}
      {!isFollowing && copy.status !== 'archived' && (
        <ActionButton look="secondary" onPress={askAgain}>
          {texts.signed.checkAgain}
        </ActionButton>
      )}
    </div>
  )
}

function Downloads({ documents }: { documents: readonly SignedDocument[] }) {
  return (
    <ul className="downloads">
      {documents.map((document) => (
        <li key={document.id}>
          <a
            className="download"
            href={document.signedDownloadUrl}
            rel="noreferrer"
            download
            aria-label={texts.signed.downloadOf(document.filename)}
          >
            <span className="document-name">{document.filename}</span>
            <DownloadIcon />
          </a>
        </li>
      ))}
    </ul>
  )
}
