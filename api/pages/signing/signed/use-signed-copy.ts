// Polls for the signed copies: waiting for other signers, being sealed, ready to download.
import { useCallback, useEffect, useState } from 'react'
import { codeOf, type Failure, type Outcome } from '../../http/failure.ts'
import { getSignedCopy, type SignedCopy, type SignedDocument } from '../ceremony-client.ts'
import { type CopyStatus, nextPollDelayMs } from './signed-copy-poll.ts'

export interface SignedCopyState {
  /** Undefined until the first response. */
  status: CopyStatus | undefined
  documents: readonly SignedDocument[]
  failure: Failure | undefined
  /** Responses with this status in a row. */
  polls: number
}

export interface SignedCopyAction {
  copy: SignedCopyState
  /** True while polling continues. */
  isFollowing: boolean
  askAgain: () => void
}

const NOTHING_KNOWN: SignedCopyState = { status: undefined, documents: [], failure: undefined, polls: 0 }

/** Polls immediately, then at growing intervals until a limit; a failed call stops polling until `askAgain`. */
export function useSignedCopy(token: string): SignedCopyAction {
  const [copy, setCopy] = useState(NOTHING_KNOWN)
  const [round, setRound] = useState(0)

  useEffect(() => {
    let timer: number | undefined
    let current = true
    const ask = async (before: SignedCopyState) => {
      const outcome = await getSignedCopy(token)
      if (!current) return
      const next = afterAnswer(before, outcome)
      setCopy(next)
      const delayMs = next.failure || !next.status ? undefined : nextPollDelayMs(next.status, next.polls)
      if (delayMs !== undefined) timer = window.setTimeout(() => void ask(next), delayMs)
    }
    void ask(NOTHING_KNOWN)
    return () => {
      current = false
      window.clearTimeout(timer)
    }
  }, [token, round])

  const askAgain = useCallback(() => {
    setCopy(NOTHING_KNOWN)
    setRound((before) => before + 1)
  }, [])
  const isFollowing =
    copy.status === undefined ? !copy.failure : !copy.failure && nextPollDelayMs(copy.status, copy.polls) !== undefined
  return { copy, isFollowing, askAgain }
}

function afterAnswer(before: SignedCopyState, outcome: Outcome<SignedCopy>): SignedCopyState {
  if (!outcome.ok && codeOf(outcome.failure) !== 'SIGNED_COPY_NOT_AVAILABLE') return { ...before, failure: outcome.failure }
  const status = outcome.ok ? statusOf(outcome.value) : 'waiting'
  const documents = outcome.ok ? outcome.value.documents : []
  return { status, documents, failure: undefined, polls: before.status === status ? before.polls + 1 : 1 }
}

function statusOf(copy: SignedCopy): CopyStatus {
  if (copy.archived) return 'archived'
  return copy.signedDocumentsReady ? 'ready' : 'sealing'
}
