// A short confirmation at the bottom of the window for some seconds, also read aloud.
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import { CheckIcon } from '../../components/icons.tsx'

const SHOWN_MS = 6_000

const FlashContext = createContext<(text: string) => void>(() => {})

/** Shows a message; a newer one replaces it. */
export function useFlash(): (text: string) => void {
  return use(FlashContext)
}

export function FlashRegion({ children }: { children: ReactNode }) {
  const [flash, setFlash] = useState<{ text: string }>()
  const say = useCallback((text: string) => setFlash({ text }), [])
  useEffect(() => {
    if (!flash) return undefined
    const timer = window.setTimeout(() => setFlash(undefined), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [flash])
  return (
    <FlashContext value={say}>
      {children}
      <div className="flash-region" role="status">
        {flash && (
          <p className="flash">
            <CheckIcon />
            {flash.text}
          </p>
        )}
      </div>
    </FlashContext>
  )
}
