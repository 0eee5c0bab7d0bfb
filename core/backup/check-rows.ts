// Whether every object that a row names is in the store, as it was stored.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { SystemCore } from '#core/context.ts'
import { readKey } from '#core/envelope/document/rules.ts'
import { selectOrphans } from '#core/envelope/document/store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import type { Found } from './problem.ts'
import { type NamedObject, type PageEnd, type SelectPage, selectOriginals, selectReports, selectSealedCopies } from './store.ts'

const PAGE = 500
const AT_ONCE = 20
const FIRST: PageEnd = { orgId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }

export interface RowCounts {
  originals: number
  sealedCopies: number
  reports: number
}

/** Checks existence and size, and with `content` the SHA-256 of all bytes. Returns how many objects rows name. */
export async function checkRows(
  core: Pick<SystemCore, 'database' | 'storage'>,
  { content }: { content: boolean },
  found: Found,
): Promise<RowCounts> {
  const check = (select: SelectPage): Promise<number> => checkPages(core, select, content, found)
  return {
    originals: await check(selectOriginals),
    sealedCopies: await check(selectSealedCopies),
    reports: await check(selectReports),
  }
}

async function checkPages(
  core: Pick<SystemCore, 'database' | 'storage'>,
  select: SelectPage,
  content: boolean,
  found: Found,
): Promise<number> {
  let count = 0
  let after: PageEnd | undefined = FIRST
  while (after) {
    const page: NamedObject[] = await select(core.database, after, PAGE)
    count += page.length
    for (let start = 0; start < page.length; start += AT_ONCE)
      await Promise.all(page.slice(start, start + AT_ONCE).map((each) => checkObject(core, each, content, found)))
    after = page.length === PAGE ? page.at(-1) : undefined
  }
  return count
}

async function checkObject(
  core: Pick<SystemCore, 'database' | 'storage'>,
  named: NamedObject,
  content: boolean,
  found: Found,
): Promise<void> {
  const { key, sizeBytes } = named
  const object = await core.storage.stat(key)
  // A running service may have deleted the row, and then the object, since the page was read.
  if (!object && (await isNamed(core, key))) found({ kind: 'OBJECT_MISSING', subject: key, message: 'not in the object store' })
  if (!object) return
  if (sizeBytes !== null && object.length !== sizeBytes) {
    found({ kind: 'OBJECT_DIFFERS', subject: key, message: `has ${object.length} bytes instead of ${sizeBytes}` })
  } else if (content && !(await hasContent(core, named))) {
    found({ kind: 'OBJECT_DIFFERS', subject: key, message: 'does not have the recorded SHA-256' })
  }
}

async function isNamed({ database }: Pick<SystemCore, 'database'>, key: string): Promise<boolean> {
  const parts = readKey(key)
  return !parts || (await selectOrphans(database, [parts])).length === 0
}

/** Reads the object as a stream. One that is deleted meanwhile counts as unchanged. */
async function hasContent(core: Pick<SystemCore, 'database' | 'storage'>, { key, sha256 }: NamedObject): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await pipeline((await core.storage.readStream(key)).stream, hash)
    return hash.digest().equals(sha256)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.reason === 'missing') return !(await isNamed(core, key))
    if (error.reason === 'corrupt') return false
    throw error
  }
}
