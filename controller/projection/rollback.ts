// Whether one of the two stores went back in time. Then neither side is written until a human has decided, with the resolve annotation. Pure.
import { RESOLVE } from '../resource/annotations.ts'
import type { ShownObject } from '../resource/shown-status.ts'

/** Why object and row may not be brought together. */
export interface Mismatch {
  reason: 'StoreRolledBack' | 'Conflict'
  message: string
}

export interface Rollback {
  mismatch: Mismatch
  isObjectOld: boolean
  /** The decision, when there is one. */
  resolve?: 'from-row' | 'from-object' | undefined
}

/** What matters of a row here. */
export interface RowState {
  version: number
  /** The object that the row knows. */
  object: { uid: string; generation: number } | null
}

const COMMAND = 'run "kubectl sealwright resolve'

/** Undefined while both stores only went forward. `noun`: what the row is. */
export function findRollback(
  object: ShownObject,
  row: RowState | undefined,
  noun: string,
  isTakenOver = false,
): Rollback | undefined {
  const message = isTakenOver ? undefined : rolledBack(object, row, noun)
  if (!message) return undefined
  const resolve = object.metadata.annotations?.[RESOLVE]
  return {
    mismatch: { reason: 'StoreRolledBack', message },
    isObjectOld: isObjectOld(object, row),
    resolve: resolve === 'from-row' || resolve === 'from-object' ? resolve : undefined,
  }
}

function rolledBack(object: ShownObject, row: RowState | undefined, noun: string): string | undefined {
  const { name, generation } = object.metadata
  const shown = object.status?.rowVersion ?? 0
  const choice = `${COMMAND} ${name} --from-row" to keep what the database has, or --from-object to keep what this object says.`
  if (!row) {
    if (shown === 0) return undefined
    return `The database has no ${noun} for this object, which showed version ${shown} of one: it was restored to an earlier time. To create it again ${COMMAND} ${name} --from-object", or delete the object.`
  }
  if (row.version < shown) {
    return `The database has version ${row.version}, this object showed version ${shown}: the database was restored to an earlier time. Compare both, then ${choice}`
  }
  if (isObjectOld(object, row)) {
    return `This object has generation ${generation}, the database has recorded ${row.object?.generation}: the cluster was restored to an earlier time. Compare both, then ${choice}`
  }
  return undefined
}

function isObjectOld({ metadata }: ShownObject, row: RowState | undefined): boolean {
  return row?.object?.uid === metadata.uid && (metadata.generation ?? 0) < (row?.object?.generation ?? 0)
}

/** True when the cached object and its row disagree about whether the other exists, or which is newer: a cache is always a little behind, so the object is
 *  read from the API server before that decides anything. */
export function needsLiveRead(object: ShownObject | undefined, row: RowState | undefined, hasVanished: boolean): boolean {
  if (hasVanished) return true
  if (!object || !row) return Boolean(object) !== Boolean(row)
  const { uid, generation = 0 } = object.metadata
  if (row.version < (object.status?.rowVersion ?? 0)) return true
  return row.object !== null && (row.object.uid !== uid || row.object.generation > generation)
}
