// What is shown where there is nothing: a mistyped address, a record that is gone, an area for admins alone.
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
