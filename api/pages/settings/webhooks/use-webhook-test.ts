// The test of a webhook, which its page offers in two places, and its last result.
import { useState } from 'react'
import type { EventType, TestResult } from '../data/records.ts'
import { type Action, useAction } from '../data/use-action.ts'
import { useSessionStore } from '../session/session-context.ts'

export interface WebhookTest {
  /** Without an event type, of the webhook's first. */
  action: Action<EventType | undefined>
  result: TestResult | undefined
}

/** `onDone`: the test is in the history, and may have enabled the webhook. */
export function useWebhookTest(webhookId: string, onDone: () => void): WebhookTest {
  const store = useSessionStore()
  const [result, setResult] = useState<TestResult>()
  const action = useAction(
    (eventType: EventType | undefined) => {
      setResult(undefined)
      return store.call<TestResult>({
        method: 'POST',
        path: `/webhooks/${webhookId}/test`,
        body: eventType ? { eventType } : {},
      })
    },
    (answer) => {
      setResult(answer)
      onDone()
    },
  )
  return { action, result }
}
