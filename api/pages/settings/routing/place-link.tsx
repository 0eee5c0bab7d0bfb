// A link within the panel: a real anchor that can be copied or opened in a new tab, followed without reloading the page.
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { addressOf, type Place } from './place.ts'
import { goTo } from './use-place.ts'

export interface PlaceLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: Place
}

export function PlaceLink({ to, onClick, ...anchor }: PlaceLinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(to)
  }
  return <a {...anchor} href={addressOf(to)} onClick={follow} />
}
