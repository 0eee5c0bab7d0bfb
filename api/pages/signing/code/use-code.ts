// Requests and verifies one-time codes. Failures that end the step go to the ceremony; others are shown in the form.
import { useState } from 'react'
import type { Failure } from '../../http/failure.ts'
import { codeOf } from '../../http/failure.ts'
import { requestOtp, type SigningView, verifyOtp } from '../ceremony-client.ts'
import { recallProgress, rememberProgress } from '../remembered-progress.ts'
import { tabStorage } from '../tab-storage.ts'
import { type CodeEntry, codeEntryAfter, codeEntryAfterRefusal, recallCodeEntry } from './code-entry.ts'

export interface CodeTrouble {
  failure?: Failure
  /** The code was wrong; how many tries it has left. */
  triesLeft?: number
}

export interface CodeOptions {
  token: string
  view: SigningView
  onVerified: () => void
  onFailure: (failure: Failure) => void
}

export interface CodeActions {
  entry: CodeEntry
  busy: 'sending' | 'confirming' | undefined
  trouble: CodeTrouble
  send: () => Promise<void>
  /** Verifies a code for the open challenge; `failed` means that it was not checked and can be submitted again. */
  confirm: (code: string) => Promise<'verified' | 'rejected' | 'failed'>
}

export function useCode({ token, view, onVerified, onFailure }: CodeOptions): CodeActions {
  const [entry, setEntry] = useState(() => recallCodeEntry(recallProgress(tabStorage(), view).challenge, Date.now()))
  const [busy, setBusy] = useState<CodeActions['busy']>()
  const [trouble, setTrouble] = useState<CodeTrouble>({})

  const fail = (failure: Failure) => {
    if (codeOf(failure) === 'OTP_CHALLENGE_NOT_FOUND')
      setEntry((before) => ({ ...before, challenge: undefined, delivery: undefined }))
    setTrouble({ failure })
    onFailure(failure)
  }

  const send = async () => {
    setBusy('sending')
    setTrouble({})
    const outcome = await requestOtp(token)
    setBusy(undefined)
    if (!outcome.ok) return fail(outcome.failure)
    const next = codeEntryAfter(outcome.value, Date.now())
    setEntry(next)
    if (next.challenge) rememberProgress(tabStorage(), view, { challenge: next.challenge })
  }

  const confirm: CodeActions['confirm'] = async (code) => {
    if (!entry.challenge) return 'failed'
    setBusy('confirming')
    setTrouble({})
    const outcome = await verifyOtp(token, entry.challenge.challengeId, code)
    setBusy(undefined)
    if (!outcome.ok) {
      fail(outcome.failure)
      return 'failed'
    }
    if (!outcome.value.verified) {
      const { triesLeft = 0 } = outcome.value
      setEntry((before) => codeEntryAfterRefusal(before, triesLeft))
      if (triesLeft === 0) rememberProgress(tabStorage(), view, { challenge: undefined })
      else setTrouble({ triesLeft })
      return 'rejected'
    }
    rememberProgress(tabStorage(), view, { challenge: undefined })
    onVerified()
    return 'verified'
  }

  return { entry, busy, trouble, send, confirm }
}
