// Runs verifications of an ID and code, or of a file. A newer one replaces an older one that is still running.
import { useCallback, useRef, useState } from 'react'
import { readSignedFile } from './read-signed-file.ts'
import {
  codesToCheck,
  idsToCheck,
  revisionsToCheck,
  type SignedFile,
  type Verdict,
  type Verification,
  worthShowing,
} from './verification.ts'
import { verifySignature } from './verify-client.ts'

export interface VerificationActions {
  verification: Verification
  /** Verifies a signature by its verification code or a SHA-256. */
  checkProof: (id: string, h: string) => Promise<void>
  /** Reads a file locally and verifies it against a signature that was verified by its code, if any, and those printed in it. */
  checkFile: (file: File, known: Verdict | undefined) => Promise<void>
  /** Verifies a file that was already read against an entered ID. */
  checkReadFile: (file: SignedFile, knownId: string) => Promise<void>
  /** Repeats the requests that failed. */
  retry: () => Promise<void>
  reset: () => void
}

interface Question {
  ids: readonly string[]
  h: string
  file: SignedFile | undefined
  known?: Verdict | undefined
}

export function useVerification(): VerificationActions {
  const [verification, setVerification] = useState<Verification>({ phase: 'idle' })
  const newest = useRef(0)
  const requested = useRef<Question>(undefined)

  const start = useCallback((phase: 'reading' | 'checking' | 'idle') => {
    const run = ++newest.current
    setVerification({ phase })
    return (next: Verification) => {
      if (run === newest.current) setVerification(next)
    }
  }, [])

  const ask = useCallback(
    async (question: Question) => {
      requested.current = question
      const show = start('checking')
      show(await judge(question))
    },
    [start],
  )

  const checkProof = useCallback((id: string, h: string) => ask({ ids: [id], h, file: undefined }), [ask])
  const checkReadFile = useCallback(
    (file: SignedFile, knownId: string) => ask({ ids: idsToCheck(file, knownId), h: file.sha256, file }),
    [ask],
  )
  const checkFile = useCallback(
    async (file: File, known: Verdict | undefined) => {
      const show = start('reading')
      const read = await readSignedFile(file)
      if (typeof read === 'string') return show({ phase: 'unreadable', trouble: read })
      const ids = idsToCheck(read, known?.id)
      if (ids.length === 0) return show({ phase: 'idless', file: read })
      return ask({ ids, h: read.sha256, file: read, known })
    },
    [start, ask],
  )
  const retry = useCallback(async () => requested.current && ask(requested.current), [ask])
  const reset = useCallback(() => void start('idle'), [start])
  return { verification, checkProof, checkFile, checkReadFile, retry, reset }
}

// One after the other: the service limits verifications per address, and most files contain one or two IDs.
async function judge({ ids, h, file, known }: Question): Promise<Verification> {
  const verdicts: Verdict[] = []
  for (const id of ids) {
    const outcome = await verifySignature(id, h)
    if (!outcome.ok) return { phase: 'failed', failure: outcome.failure, file }
    const onRecord = id === known?.id && known.result.valid && !outcome.value.valid ? known.result : undefined
    verdicts.push({ id, result: outcome.value, ...(onRecord && { onRecord }) })
  }
  return file === undefined ? { phase: 'judged', verdicts: worthShowing(verdicts), file } : judgeRevisions(verdicts, file)
}

/** A refused ID may be a signature of the file as it was before others signed it. */
async function judgeRevisions(verdicts: Verdict[], file: SignedFile): Promise<Verification> {
  for (const { verdict, revision } of revisionsToCheck(verdicts, file)) {
    const at = verdicts.indexOf(verdict)
    if (at < 0) continue
    const outcome = await verifySignature(verdict.id, revision.sha256)
    if (!outcome.ok) return { phase: 'failed', failure: outcome.failure, file }
    if (outcome.value.valid) verdicts[at] = { id: verdict.id, result: outcome.value, sealedPart: revision }
  }
  return judgeCodes(verdicts, file)
}

/** A refused ID whose printed code is right is a signature of another file. */
async function judgeCodes(verdicts: Verdict[], file: SignedFile): Promise<Verification> {
  for (const { verdict, code } of codesToCheck(verdicts, file)) {
    const outcome = await verifySignature(verdict.id, code)
    if (!outcome.ok) return { phase: 'failed', failure: outcome.failure, file }
    if (outcome.value.signerName !== undefined) verdicts[verdicts.indexOf(verdict)] = { ...verdict, onRecord: outcome.value }
  }
  return { phase: 'judged', verdicts: worthShowing(verdicts), file }
}
