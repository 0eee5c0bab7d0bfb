// An API server and how to sign in to it: named files and texts, which are read when they are needed.
import type { User } from '@kubernetes/client-node'

/** A file that is read again and again, or its content. */
export type Source = { file: string } | { text: string }

export interface ClusterAccess {
  /** https://host:port, perhaps with a path. */
  server: string
  authority?: Source
  skipVerify?: boolean
  serverName?: string
  certificate?: Source
  key?: Source
  token?: Source
  /** A program that prints credentials. */
  exec?: User
}
