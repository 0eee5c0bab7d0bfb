// The state of a verification: running, verified, or failed.
import { Notice } from '../components/notice.tsx'
import { Retry } from '../components/retry.tsx'
import { Spinner } from '../components/spinner.tsx'
import { texts } from '../locales/texts.ts'
import { VerdictCard } from './verdict-card.tsx'
import type { Verification } from './verification.ts'

export function CheckState({ verification, onRetry }: { verification: Verification; onRetry: () => void }) {
  switch (verification.phase) {
    case 'idle':
      return null
    case 'reading':
      return <Spinner label={texts.verify.hashing} isLabelShown />
    case 'checking':
      return <Spinner label={texts.verify.checking} isLabelShown />
    case 'unreadable':
      return <Notice tone="warning">{texts.verify[verification.trouble]}</Notice>
    case 'idless':
      return (
        <Notice tone="info" title={verification.file.name}>
          {texts.verify.noIdFound}
        </Notice>
      )
    case 'failed':
      return <Retry failure={verification.failure} title={texts.verify.failedTitle} onRetry={onRetry} />
    case 'judged':
    default:
      return (
        <div role="status">
          <VerdictCard verdicts={verification.verdicts} file={verification.file} />
        </div>
      )
  }
}
