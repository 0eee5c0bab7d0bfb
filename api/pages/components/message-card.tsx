// A page that has one thing to say: a sign, a heading, a few sentences and perhaps something to do.
import type { ReactNode } from 'react'
import { StepHeading } from './step-heading.tsx'

export interface MessageCardProps {
  tone: 'success' | 'neutral' | 'warning'
  icon: ReactNode
  title: string
  children: ReactNode
}

export function MessageCard({ tone, icon, title, children }: MessageCardProps) {
  return (
    <div className="card message-card">
      <span className={`badge badge-${tone}`}>{icon}</span>
      <StepHeading title={title}>{title}</StepHeading>
      {children}
    </div>
  )
}
