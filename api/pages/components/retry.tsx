// A failed call with a retry button; the button waits for the Retry-After time.
import { useMemo } from 'react'
import type { Failure } from '../http/failure.ts'
import { failureText } from '../locales/failure-text.ts'
import { texts } from '../locales/texts.ts'
import { ActionButton } from './action-button.tsx'
import { deadlineAfter, formatSeconds } from './countdown.ts'
import { Notice } from './notice.tsx'
import { useSecondsLeft } from './use-seconds-left.ts'

export interface RetryProps {
  failure: Failure
  title?: string
  /** Replaces the default message of the failure. */
  text?: string
  onRetry: () => void
}

/** The countdown starts when this failure object is first displayed. */
export function Retry({ failure, title, text = failureText(failure, texts), onRetry }: RetryProps) {
  const seconds = useRetryWait(failure)
  return (
    <Notice tone="warning" {...(title && { title })}>
      <p>{text}</p>
      <ActionButton look="secondary" isDisabled={seconds > 0} onPress={onRetry}>
        {seconds > 0 ? texts.shared.tryAgainIn(formatSeconds(seconds)) : texts.shared.tryAgain}
      </ActionButton>
    </Notice>
  )
}

/** Seconds until a retry makes sense, from the failure's Retry-After. */
export function useRetryWait(failure: Failure | undefined): number {
  const deadlineMs = useMemo(() => {
    const wait = failure?.kind === 'answer' ? failure.retryAfterSeconds : undefined
    return wait === undefined ? undefined : deadlineAfter(wait, Date.now())
  }, [failure])
  return useSecondsLeft(deadlineMs)
}
