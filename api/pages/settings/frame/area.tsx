// The header of an area (parent link, title, main action) and its sections.
import type { ReactNode } from 'react'
import { ChevronLeftIcon } from '../../components/icons.tsx'
import { StepHeading } from '../../components/step-heading.tsx'
import { texts } from '../locales/texts.ts'
import type { Place } from '../routing/place.ts'
import { PlaceLink } from '../routing/place-link.tsx'

export interface AreaProps {
  title: string
  /** Shown beside the title, such as a status. */
  mark?: ReactNode
  lead?: string
  actions?: ReactNode
  /** The list that a record belongs to. */
  parent?: { place: Place; name: string }
  children: ReactNode
}

export function Area({ title, mark, lead, actions, parent, children }: AreaProps) {
  return (
    <>
      {parent && (
        <PlaceLink className="back-link" to={parent.place} aria-label={texts.frame.back(parent.name)}>
          <ChevronLeftIcon />
          {parent.name}
        </PlaceLink>
      )}
      <div className="area-head">
        <div className="area-title">
          <StepHeading title={title}>{title}</StepHeading>
          {mark}
        </div>
        {actions && <div className="button-row">{actions}</div>}
        {lead && <p className="muted area-lead">{lead}</p>}
      </div>
      {children}
    </>
  )
}

export interface SectionProps {
  title: string
  hint?: string
  actions?: ReactNode
  children: ReactNode
}

/** One section of an area, on its own sheet. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <section className="sheet">
      <div className="sheet-head">
        <h2>{title}</h2>
        {actions}
        {hint && <p className="hint">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
