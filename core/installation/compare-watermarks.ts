// Detects that the database or the object store was restored to an earlier time: it has a lower watermark than the other one.
import type { Core } from '#core/context.ts'
import { findWatermark, listStoredWatermarks, type Watermark } from './watermark-store.ts'

/** Which of the two is behind the other. */
export type StoreBehind = 'database' | 'objects'

export interface Watermarks {
  database: Watermark | undefined
  /** The highest one in the object store. */
  objects: Watermark | undefined
  behind: StoreBehind | undefined
}

/** Reads both watermarks. Needs a database of the system role. */
export async function compareWatermarks({ database, storage }: Pick<Core, 'database' | 'storage'>): Promise<Watermarks> {
  const before = await findWatermark(database)
  const objects = (await listStoredWatermarks(storage)).at(-1)
  // Read on both sides of the listing: a controller may raise it meanwhile.
  const after = await findWatermark(database)
  return { database: after, objects, behind: findBehind(before?.number ?? 0, objects?.number ?? 0, after?.number ?? 0) }
}

/** The database is raised first, so it may be one ahead, and never behind. */
function findBehind(before: number, objects: number, after: number): StoreBehind | undefined {
  if (after < objects) return 'database'
  return objects < before - 1 ? 'objects' : undefined
}

/** One sentence for the log and the command line; undefined when none is behind. */
export function describeBehind({ behind, database, objects }: Watermarks): string | undefined {
  if (!behind) return undefined
  const [late, other] = behind === 'database' ? ['database', 'object store'] : ['object store', 'database']
  const [own, theirs] = behind === 'database' ? [database, objects] : [objects, database]
  const since = own ? `Its last watermark is of ${own.raisedAt.toISOString()}` : 'It has no watermark'
  return `The ${late} was restored to an earlier time than the ${other}. ${since}, that of the ${other} of ${theirs?.raisedAt.toISOString()}. Objects without a row are not deleted. Run "sealwright backup verify".`
}
