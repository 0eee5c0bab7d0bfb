// The icons of the menu, in the style of the shared ones.
import type { MenuEntry } from './areas.ts'

const PATHS: Record<MenuEntry['name'], string> = {
  overview: 'M4.5 12.5V19A1 1 0 0 0 5.5 20h13a1 1 0 0 0 1-1v-6.5M3 12l9-8 9 8M10 20v-5h4v5',
  envelopes:
    'M4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9A1.5 1.5 0 0 1 4.5 6zM3.5 7l8.5 6.5L20.5 7',
  credentials: 'M8 11.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12.5L19.5 4M16 7.5l3 3M13.5 10l2 2',
  webhooks: 'M4 7.5h11M11.5 4l3.5 3.5-3.5 3.5M20 16.5H9M12.5 13L9 16.5l3.5 3.5',
  workspaces: 'M4 5h6v6H4zM14 5h6v6h-6zM4 14.5h6v5H4zM14 14.5h6v5h-6z',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M15.5 5.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3.2 2.5 3.5 5',
  organisation:
    'M5 20V5.5A1.5 1.5 0 0 1 6.5 4h7A1.5 1.5 0 0 1 15 5.5V20M15 10h3.5A1.5 1.5 0 0 1 20 11.5V20M3 20h18M8.5 8h3M8.5 12h3M8.5 16h3',
  activity: 'M3.5 12.5h4L10 6l4 12 2.5-5.5h4',
  'signing-keys': 'M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
}

export function MenuEntryIcon({ name }: { name: MenuEntry['name'] }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
