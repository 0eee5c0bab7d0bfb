// The metadata of an object that decisions read, without optional members. Pure.
import type { StoredObject } from './custom-object.ts'

export interface Identity {
  name: string
  uid: string
  generation: number
  resourceVersion: string
  annotations: Record<string, string>
  finalizers: string[]
  isTerminating: boolean
}

export function identityOf({ metadata }: StoredObject): Identity {
  const { name, uid, generation = 0, resourceVersion = '', annotations = {}, finalizers = [], deletionTimestamp } = metadata
  return { name, uid, generation, resourceVersion, annotations, finalizers, isTerminating: deletionTimestamp !== undefined }
}
