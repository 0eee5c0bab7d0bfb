// Page not found: a wrong URL, a deleted record, or an area for admins only.
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { Area } from './area.tsx'

export function UnknownArea() {
  return (
    <Area title={texts.frame.unknownTitle} lead={texts.frame.unknownBody}>
      <PlaceLink className="button button-secondary button-start" to={{ area: 'overview' }}>
        {texts.frame.toOverview}
      </PlaceLink>
    </Area>
  )
}
