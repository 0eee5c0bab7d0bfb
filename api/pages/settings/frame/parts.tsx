// Small things that many areas show.
import type { ReactNode } from 'react'

/** A state in one or two words. */
export function Pill({ tone, children }: { tone: 'neutral' | 'active' | 'success' | 'warning'; children: ReactNode }) {
  return <span className={`pill pill-${tone}`}>{children}</span>
}

/** What is shown instead of an empty list, and what to do about it. */
export function EmptyState({ title, body, children }: { title: string; body?: string; children?: ReactNode }) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {body && <p className="muted">{body}</p>}
      {children}
    </div>
  )
}

/** A list of facts; those without a value are left out. */
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
