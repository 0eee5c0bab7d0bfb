// Shows a resource: a placeholder while loading, an error with a retry button if loading failed.
import type { ReactNode } from 'react'
import { Retry } from '../../components/retry.tsx'
import { texts } from '../locales/texts.ts'
import { panelFailureText } from '../locales/panel-failure-text.ts'
import type { Resource } from './use-resource.ts'

export interface ResourceViewProps<Value> {
  resource: Resource<Value>
  /** The number of lines in the placeholder. */
  lines?: number
  children: (value: Value) => ReactNode
}

export function ResourceView<Value>({ resource: { loaded, reload }, lines = 4, children }: ResourceViewProps<Value>) {
  switch (loaded.phase) {
    case 'loading':
      return <Outline lines={lines} />
    case 'failed':
      return (
        <Retry
          failure={loaded.failure}
          title={texts.frame.failedTitle}
          text={panelFailureText(loaded.failure)}
          onRetry={() => void reload()}
        />
      )
    case 'ready':
    default:
      return (
        <div className="resource" aria-busy={loaded.isRefreshing}>
          {children(loaded.value)}
        </div>
      )
  }
}

function Outline({ lines }: { lines: number }) {
  return (
    <div className="outline" role="status">
      <span className="visually-hidden">{texts.words.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="outline-line" aria-hidden="true" />
      ))}
    </div>
  )
}
