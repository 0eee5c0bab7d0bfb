// Connects the view recorder to the browser: leaving the tab, page or step closes the view, returning opens it again.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../http/failure.ts'
import { recordViewClosed, recordViewOpened } from '../ceremony-client.ts'
import { newViewRecorder, type ViewRecorder } from './view-recorder.ts'

export interface ViewRecording {
  recorder: ViewRecorder
  /** Call when a document is on screen for the first time. */
  onShown: () => void
}

export function useViewRecorder(token: string, onFailure: (failure: Failure) => void): ViewRecording {
  const [recorder] = useState(() =>
    newViewRecorder({
      opened: () => recordViewOpened(token),
      closed: (durationMs) => void recordViewClosed(token, durationMs),
      nowMs: () => Date.now(),
    }),
  )
  const isShown = useRef(false)

  const open = useCallback(async () => {
    const failure = await recorder.open()
    if (failure) onFailure(failure)
  }, [recorder, onFailure])

  useEffect(() => {
    // Phones often discard a hidden page without another event, so hidden counts as left.
    const onVisibility = () => {
      if (!isShown.current) return
      if (document.visibilityState === 'hidden') recorder.close()
      else void open()
    }
    const onLeave = () => recorder.close()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', onLeave)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', onLeave)
      recorder.close()
    }
  }, [recorder, open])

  const onShown = useCallback(() => {
    isShown.current = true
    void open()
  }, [open])

  return { recorder, onShown }
}
