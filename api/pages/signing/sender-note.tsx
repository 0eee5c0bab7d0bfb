// Who asks for the signature, why and until when: what a signer needs to recognise the request.
import { formatTime, texts } from '../locales/texts.ts'
import type { SigningView } from './ceremony-client.ts'

/** The message is plain text: line breaks are kept and addresses are not links, because anyone with an account can write it. */
export function SenderNote({ view }: { view: Pick<SigningView, 'organisationName' | 'message' | 'expiresAt'> }) {
  return (
    <div className="sender-note">
      <p>{texts.sender.from(view.organisationName)}</p>
      {view.message && (
        // A long message scrolls, so the keyboard must reach it.
        <blockquote className="sender-message" tabIndex={0} aria-label={texts.sender.message}>
          {view.message}
        </blockquote>
      )}
      {view.expiresAt && <p className="muted">{texts.sender.until(formatTime(view.expiresAt))}</p>}
    </div>
  )
}
