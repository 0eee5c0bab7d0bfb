// What the processes of a pool and their owner send each other.

/** A task about one file, with further fields. */
export interface FileTask {
  readonly path: string
}

/** The first message of a process is `ready`; the others answer one task each. */
export const READY = 'ready'

export type TaskReply<Answer> = { readonly answer: Answer } | { readonly error: string }
