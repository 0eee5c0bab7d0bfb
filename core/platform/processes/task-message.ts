// What the processes of a pool and their owner send each other.

/** A task about one file, with further fields. */
export interface FileTask {
  readonly path: string
}

/** The first message of a process is `ready`; the others answer one task each. */
export const READY = 'ready'

/** The exit code of a process whose task took too long: it may notice that before its owner, which a busy machine delays. */
export const OVER_LIMIT = 20

export type TaskReply<Answer> = { readonly answer: Answer } | { readonly error: string }
