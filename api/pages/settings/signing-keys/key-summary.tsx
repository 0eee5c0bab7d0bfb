// The active key in short.
import type { SigningKey } from '../data/records.ts'
import { EmptyState, Facts } from '../frame/parts.tsx'
import { formatDay } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { certificateName } from './certificate-name.ts'
import { KeyMarks } from './key-marks.tsx'

export function KeySummary({ signingKey }: { signingKey: SigningKey | undefined }) {
  if (!signingKey) return <EmptyState title={texts.keys.emptyTitle} body={texts.keys.emptyBody} />
  return (
    <>
      <KeyMarks signingKey={signingKey} />
      <Facts
        facts={[
          [texts.keys.subject, certificateName(signingKey.subject)],
          [texts.keys.issuer, certificateName(signingKey.issuer)],
          [texts.keys.validity, texts.keys.validFromTo(formatDay(signingKey.notBefore), formatDay(signingKey.notAfter))],
        ]}
      />
    </>
  )
}
