// Thread pool tasks that keep a reference to their results, to report next time what became of them.
import { transferResult, type Given } from '#core/platform/threads/transfer-result.ts'

export interface TransferredResult {
  readonly bytes: Uint8Array
  /** How many bytes of the previous result are left in the thread. */
  readonly left: number | undefined
}

let before: Uint8Array | undefined

export function run(length: number): Given<TransferredResult> {
  const left = before?.byteLength
  const bytes = new Uint8Array(length).fill(7)
  before = bytes
  return transferResult({ bytes, left }, [bytes.buffer])
}
