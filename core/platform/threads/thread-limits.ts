// The limits of every kind of work on threads: what a task may take, and how many of one owner may wait for a thread.
import type { PoolName } from './task-queue.ts'

export interface ThreadLimits {
  /** More waiting tasks of one owner than this are rejected. */
  readonly maxWaiting: number
  /** Time limit of a task from its start; wall-clock time, so on a busy machine it means less CPU time. */
  readonly limitSeconds: number
  /** JavaScript heap of a thread, enforced by V8. Buffers do not count. */
  readonly heapMebibytes: number
  /** The part of the heap for short-lived objects, which a thread never gives back. Absent: 32, for tasks that create many. */
  readonly youngMebibytes?: number
  /** Buffers of a thread, garbage included, shared memory not. Polled every 100 ms: a task can exceed it until the next poll. */
  readonly bufferMebibytes: number
}

export const THREAD_LIMITS = {
  // An image within the limits takes at most 0.2 s, a seal less; a thread that is starting on a loaded machine takes seconds. Fonts and the largest images
  // take two fifths of the buffers. A small young generation saves 30 MB.
  drawing: { maxWaiting: 64, limitSeconds: 30, heapMebibytes: 256, youngMebibytes: 8, bufferMebibytes: 512 },
  // A file of 50 MB, with earlier ones that are not collected yet, takes a third of the buffers.
  verification: { maxWaiting: 16, limitSeconds: 20, heapMebibytes: 128, bufferMebibytes: 512 },
  // The same for buffers; the original is in shared memory and does not count. A seal consists of bytes and few objects. The time
  // limit is a setting, and these wait for each thread, because there are several.
  sealing: { maxWaiting: 16, heapMebibytes: 256, youngMebibytes: 4, bufferMebibytes: 512 },
  // One core draws over a thousand entries a second; most envelopes have about twenty. Two thirds of the buffers are used when a trail is so long that the
  // heap is full. A small young generation saves 40 MB for 5 % more processor time.
  report: { maxWaiting: 16, limitSeconds: 60, heapMebibytes: 512, youngMebibytes: 8, bufferMebibytes: 1024 },
  // A file with 600,000 iterations takes eight seconds of one core.
  key: { maxWaiting: 64, limitSeconds: 60, heapMebibytes: 256, bufferMebibytes: 64 },
} as const satisfies Partial<Record<PoolName, Partial<ThreadLimits>>>
