// Signs, and keeps the failure so that the signer can retry with the same signature.
import { type Dispatch, useState } from 'react'
import { codeOf, type Failure } from '../../http/failure.ts'
import type { CeremonyEvent } from '../ceremony.ts'
import { sign } from '../ceremony-client.ts'
import type { ViewRecorder } from './view-recorder.ts'

export interface SignAction {
  isSigning: boolean
  failure: Failure | undefined
  /** Signs with a base64 PNG. Repeating it after a lost response is safe: the service records one signature per link. */
  signWith: (signatureImage: string) => Promise<void>
}

export function useSign(token: string, recorder: ViewRecorder, dispatch: Dispatch<CeremonyEvent>): SignAction {
  const [isSigning, setSigning] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const attempt = async (signatureImage: string): Promise<Failure | undefined> => {
    const viewFailure = await recorder.ensureRecorded()
    if (viewFailure) return viewFailure
    const outcome = await sign(token, signatureImage)
    if (outcome.ok) dispatch({ type: 'signed' })
    return outcome.ok ? undefined : outcome.failure
  }

  const signWith = async (signatureImage: string) => {
    setSigning(true)
    setFailure(undefined)
    const failed = await attempt(signatureImage)
    setSigning(false)
    if (!failed) return
    if (codeOf(failed) === 'VIEW_REQUIRED') recorder.forgetRecord()
    setFailure(failed)
    dispatch({ type: 'failed', failure: failed })
  }

  return { isSigning, failure, signWith }
}
