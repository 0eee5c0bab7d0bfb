// A failed call, told in words, with a button to try again; the button waits out a Retry-After.
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
  /** Instead of the usual words for the failure. */
  text?: string
  onRetry: () => void
}

/** The countdown starts with the first display of this very failure object. */
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

/** Seconds for which trying again is pointless, from the failure's Retry-After. */
export function useRetryWait(failure: Failure | undefined): number {
  const deadlineMs = useMemo(() => {
    const wait = failure?.kind === 'answer' ? failure.retryAfterSeconds : undefined
    return wait === undefined ? undefined : deadlineAfter(wait, Date.now())
  }, [failure])
  return useSecondsLeft(deadlineMs)
}
