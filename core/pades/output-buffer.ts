// Memory for one sealed file after the other. Fresh pages cost a seal of a megabyte as much as its hash; memory that was used before is free.

/** What a thread keeps for the next file; larger files are rare and get memory of their own. */
const MOST_BYTES_KEPT = 8 * 1024 * 1024

/** Gives memory that is overwritten by the next call: for callers that are done with one file before they begin another. */
export function newOutputBuffer(): (bytes: number) => Buffer {
  let kept = Buffer.alloc(0)
  return (bytes) => {
    if (bytes > MOST_BYTES_KEPT) return Buffer.allocUnsafeSlow(bytes)
    if (kept.length < bytes) kept = Buffer.allocUnsafeSlow(Math.min(MOST_BYTES_KEPT, bytes * 2))
    return kept.subarray(0, bytes)
  }
}
