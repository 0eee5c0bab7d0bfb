// The status labels of a signing key, and the warning about a self-signed one.
import { Notice } from '../../components/notice.tsx'
import type { SigningKey } from '../data/records.ts'
import { Pill } from '../frame/parts.tsx'
import { formatDistance } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { validityOf } from './key-validity.ts'

export function KeyMarks({ signingKey }: { signingKey: SigningKey }) {
  const validity = validityOf(signingKey, Date.now())
  return (
    <span className="pills">
      <Pill tone={signingKey.origin === 'SELF_MADE' ? 'warning' : 'success'}>
        {signingKey.origin === 'SELF_MADE' ? texts.keys.selfSigned : texts.keys.imported}
      </Pill>
      {validity === 'over' && <Pill tone="warning">{texts.keys.expired}</Pill>}
      {validity === 'soon' && <Pill tone="warning">{texts.keys.endsSoon(formatDistance(signingKey.notAfter, Date.now()))}</Pill>}
      {signingKey.compromisedFrom && <Pill tone="warning">{texts.keys.compromised}</Pill>}
    </span>
  )
}

export function SelfSignedNotice() {
  return (
    <Notice tone="info" title={texts.keys.selfSignedTitle}>
      <p>{texts.keys.selfSignedBody}</p>
    </Notice>
  )
}
