// Tasks for thread pools that keep hold of what they answered, to tell next time what has become of it.
import { transferResult, type Given } from '#core/platform/threads/transfer-result.ts'

export interface TransferredResult {
  readonly bytes: Uint8Array
  /** What is left here of the bytes of the answer before. */
  readonly left: number | undefined
}

let before: Uint8Array | undefined

export function run(length: number): Given<TransferredResult> {
  const left = before?.byteLength
  const bytes = new Uint8Array(length).fill(7)
  before = bytes
  return transferResult({ bytes, left }, [bytes.buffer])
}
