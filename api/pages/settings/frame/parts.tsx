// Small components that many areas use.
import type { ReactNode } from 'react'

/** A status in one or two words. */
export function Pill({ tone, children }: { tone: 'neutral' | 'active' | 'success' | 'warning'; children: ReactNode }) {
  return <span className={`pill pill-${tone}`}>{children}</span>
}

/** Shown instead of an empty list, with an optional next step. */
export function EmptyState({ title, body, children }: { title: string; body?: string; children?: ReactNode }) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {body && <p className="muted">{body}</p>}
      {children}
    </div>
  )
}

/** A list of labelled values; entries without a value are omitted. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="panel-facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
