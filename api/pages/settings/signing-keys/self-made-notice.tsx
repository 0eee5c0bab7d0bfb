// Warns that the installation seals with a self-signed key.
import { Notice } from '../../components/notice.tsx'
import { texts } from '../locales/texts.ts'

export function SelfMadeNotice() {
  return (
    <Notice tone="info" title={texts.keys.selfMadeTitle}>
      <p>{texts.keys.selfMadeBody}</p>
    </Notice>
  )
}
