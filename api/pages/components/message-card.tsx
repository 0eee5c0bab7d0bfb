// A page with a single message: icon, heading, text and optional actions.
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
