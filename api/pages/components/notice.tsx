// A message within the page. Screen readers announce warnings at once and information at the next pause.
import type { ReactNode } from 'react'
import { CheckIcon, InfoIcon, WarningIcon } from './icons.tsx'

export interface NoticeProps {
  tone: 'info' | 'success' | 'warning'
  title?: string
  children: ReactNode
}

const ICONS = { info: InfoIcon, success: CheckIcon, warning: WarningIcon }

export function Notice({ tone, title, children }: NoticeProps) {
  const ToneIcon = ICONS[tone]
  return (
    <div className={`notice notice-${tone}`} role={tone === 'warning' ? 'alert' : 'status'}>
      <ToneIcon />
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  )
}
