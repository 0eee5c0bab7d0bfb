// How far Kubernetes is behind.
import type { StorelessCore } from '#core/context.ts'
import { selectAge } from './change-store.ts'

/** Seconds since the oldest change that Kubernetes does not show yet; 0 without one. */
export async function outboxAgeSeconds({ database }: Pick<StorelessCore, 'database'>): Promise<number> {
  return selectAge(database)
}
