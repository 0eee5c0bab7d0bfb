// The frame around the areas: menu, skip link and flash messages.
import { type ReactNode, useRef, useState } from 'react'
import { RecordCacheProvider, type RecordCache } from '../data/record-cache.ts'
import { texts } from '../locales/texts.ts'
import { FlashRegion } from './flash.tsx'
import { SideMenu, TopBar } from './navigation.tsx'

export function PanelFrame({ children }: { children: ReactNode }) {
  const [cache] = useState<RecordCache>(() => new Map())
  const content = useRef<HTMLElement>(null)
  return (
    <RecordCacheProvider value={cache}>
      <FlashRegion>
        <div className="panel">
          <button type="button" className="skip-link" onClick={() => content.current?.focus()}>
            {texts.frame.skip}
          </button>
          <TopBar />
          <SideMenu />
          <main ref={content} className="panel-content" tabIndex={-1}>
            {children}
          </main>
        </div>
      </FlashRegion>
    </RecordCacheProvider>
  )
}
