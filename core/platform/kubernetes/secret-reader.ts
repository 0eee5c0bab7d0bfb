// Reads one Secret by its name.
import type { KubeMetadata } from './kube-object.ts'

/** The entries of a Secret in base64. */
export type SecretEntries = Readonly<Record<string, string>>

/** Whether the content of a Secret may be read. */
export type SecretRule = (metadata: Pick<KubeMetadata, 'labels' | 'ownerReferences'>) => boolean

export interface SecretReader {
  /** Undefined alike when there is no such Secret and when the rule refuses it: then its content was not requested. Throws when the API server refuses or cannot
   *  be reached. */
  read(namespace: string, name: string, rule: SecretRule): Promise<SecretEntries | undefined>
}
