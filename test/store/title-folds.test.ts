// Titles are found whatever their case: every letter of Unicode, in every database.
import { randomUUID } from 'node:crypto'
import type { CredentialCaller } from '#core/context.ts'
import { searchEnvelopes } from '#core/envelope/search.ts'
import { CredentialId, newId, OrgId, WorkspaceId } from '#core/ids.ts'
import { MAX_TITLE_CHARACTERS } from '#core/limits.ts'
import { type Database, inOrganisation, openDatabase } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../support/servers/empty-database.ts'
import { foldText } from '../support/judges/fold-text.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const LAST_CODE_POINT = 0x10ffff

let database: TestDatabase
let owner: Database

beforeAll(async () => {
  database = await testDatabase()
  ;({ owner } = database)
})
afterAll(() => database[Symbol.asyncDispose]())

/** A credential of a new organisation that may read its one workspace. */
async function newReader(sql: Database): Promise<CredentialCaller> {
  const [orgId, credentialId, workspaceId] = [newId(OrgId), newId(CredentialId), newId(WorkspaceId)]
  await sql`insert into organisations (id, name) values (${orgId}, 'x')`
  await sql`insert into workspaces (org_id, id, name) values (${orgId}, ${workspaceId}, 'x')`
  await sql`insert into credentials (org_id, id, client_id, name) values (${orgId}, ${credentialId}, ${credentialId}, 'x')`
  await sql`insert into credential_grants values (${orgId}, ${credentialId}, ${workspaceId}, '{envelope:read}')`
  return { kind: 'credential', orgId, credentialId, clientId: 'x', origin: { address: null, userAgent: null } }
}

const add = (sql: Database, { orgId }: CredentialCaller, title: string) => sql<{ titleFolded: string }[]>`
  insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
  select ${orgId}, ${randomUUID()}, id, ${title}, false, false, 60 from workspaces where org_id = ${orgId}
  returning title_folded`

/** The titles that the API's role finds by a part, with either plan. */
async function find(api: Database, reader: CredentialCaller, part: string): Promise<Record<'scan' | 'index', string[]>> {
  const filter = { statuses: [], labels: { pairs: [], keys: [] }, title: part }
  const by = async (plan: 'scan' | 'index') => {
    const found = await inOrganisation(api, reader.orgId, (sql) =>
      searchEnvelopes(sql, reader, filter, { offset: 0, limit: 100, plan }),
    )
    return found.envelopes.map(({ title }) => title)
  }
  return { scan: await by('scan'), index: await by('index') }
}

/** Titles, and by what each of them is found. */
const EXAMPLES = [
  ['ΟΔΟΣ ΕΡΜΟΥ', ['οδος', 'Οδοσ', 'ς ερμου']],
  ['Lange Straße', ['STRASSE', 'STRAẞE', 'strasse']],
  ['GROẞE GASSE', ['große gasse', 'GROSSE']],
  ['ŉ, ǰ und ΐ', ['ʼN', 'J\u030C', 'Ϊ\u0301', 'ΐ']],
  ['Oﬃce', ['OFFICE', 'offi', 'ﬃCE']],
  ['ſpäter, ϐιβλία', ['SPÄTER', 'βιβλία', 'ΒΙΒΛΊΑ']],
  ['300 \u212A', ['300 k', '300 K']],
  ['Cafe\u0301', ['CAF\u00C9', 'caf\u00E9', 'cafe\u0301']],
  ['TITLE I', ['title i', 'Title I']],
  ['\u0130ZM\u0130R', ['i\u0307zm', '\u0130zmi\u0307r']],
] as const

const LOCALES = [
  ["Unicode's", ''],
  ["C's, which knows no letters beyond ASCII", "locale_provider libc locale 'C'"],
  ['Turkish, where I and i are no pair', "locale_provider icu icu_locale 'tr' locale 'C'"],
] as const

describe.each(LOCALES)('in a database with the locale %s', (_, options) => {
  test('titles are found whatever their case', async () => {
    await using other = await emptyDatabase(database, options)
    await migrate(other.url)
    const reader = await newReader(other.owner)
    for (const [title] of EXAMPLES) await add(other.owner, reader, title)
    const api = openDatabase({ url: other.url, pool: 1, role: 'sealwright_api' })
    try {
      for (const [title, parts] of EXAMPLES)
        for (const part of parts) expect(await find(api, reader, part), part).toEqual({ scan: [title], index: [title] })
    } finally {
      await api.end()
    }
  })
})

/** Every letter that has a case, as JavaScript knows it. */
const CASED = Array.from({ length: LAST_CODE_POINT }, (_, index) => String.fromCodePoint(index + 1)).filter(
  (letter) => letter.toUpperCase() !== letter || letter.toLowerCase() !== letter,
)

test('a title is found by each of its letters and by all of it, in capitals, in small letters and folded', async () => {
  const searches = CASED.flatMap((letter) =>
    [letter, `z${letter}`, `z${letter}z`].flatMap((title) =>
      [letter, title].flatMap((part) =>
        [part, part.toUpperCase(), part.toLowerCase(), foldText(part)].map((given) => ({ letter, title, given })),
      ),
    ),
  )
  expect(CASED.length).toBeGreaterThan(2_800)
  const missed = await owner<{ letter: string; given: string }[]>`
    select distinct letter, given
    from unnest(${searches.map(({ letter }) => letter)}::text[], ${searches.map(({ title }) => title)}::text[],
      ${searches.map(({ given }) => given)}::text[]) s (letter, title, given)
    where strpos(fold_title(title), fold_title(given)) = 0
    order by given`
  // Of Turkish alone, as Unicode says (status T): a dotless i would otherwise be an i.
  expect(missed).toEqual(['I', 'ZI', 'ZIZ'].map((given) => ({ letter: 'ı', given })))
})

test('every character is folded as Postgres 18 folds it', async () => {
  const differing = await owner`
    select c
    from generate_series(1, ${LAST_CODE_POINT}) code, lateral (select chr(code) as c) l
    where code not between 55296 and 57343 and unicode_assigned(c)
      and fold_title(c) <> normalize(casefold(normalize(c, NFD) collate "pg_unicode_fast"), NFC)`
  expect(differing).toEqual([])
})

test('a text is folded the same whichever of its forms it has', async () => {
  const aText = fc.string({
    unit: fc.constantFrom(...CASED, 'e', 'j', ' ', '\u0301', '\u0323', '\u0345', '한'),
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(aText, async (text) => {
      const [row] = await owner`
        select fold_title(${text}) as folded, fold_title(${text.normalize('NFD')}) as decomposed, fold_title(${text.normalize('NFC')}) as composed,
          fold_title(fold_title(${text})) as again`
      const { folded } = row!
      expect(row).toEqual({ folded, decomposed: folded, composed: folded, again: folded })
    }),
    { numRuns: runs(60) },
  )
})

describe('the folded title', () => {
  test('follows the title, whatever else is written', async () => {
    const place = await newReader(owner)
    expect(await add(owner, place, 'Straße')).toEqual([{ titleFolded: 'strasse' }])
    const update = (change: string) =>
      owner.unsafe(`update envelopes set ${change} where org_id = '${place.orgId}' returning title_folded`)
    expect(await update("title_folded = 'other'")).toEqual([{ titleFolded: 'strasse' }])
    expect(await update("title = 'GASSE'")).toEqual([{ titleFolded: 'gasse' }])
  })

  test('is there where rows are loaded without triggers', async () => {
    const place = await newReader(owner)
    const loaded = await owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      // As replication and a restore of rows have it.
      await sql`set local search_path = ''`
      return sql`
        insert into public.envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
        values (${place.orgId}, ${randomUUID()}, ${randomUUID()}, 'Straße', false, false, 60) returning title_folded`
    })
    expect(loaded).toEqual([{ titleFolded: 'strasse' }])
  })

  test('of the letters that grow most is not too long for the indexes', async () => {
    const place = await newReader(owner)
    // Notes of music: each becomes three characters of four bytes.
    const aNote = fc.integer({ min: 0x1d160, max: 0x1d164 }).map((code) => String.fromCodePoint(code))
    const titles = fc.sample(fc.array(aNote, { minLength: MAX_TITLE_CHARACTERS, maxLength: MAX_TITLE_CHARACTERS }), 20)
    for (const notes of titles) await add(owner, place, notes.join(''))
    const [{ longest } = { longest: 0 }] = await owner<{ longest: number }[]>`
      select max(octet_length(title_folded))::int as longest from envelopes where org_id = ${place.orgId}`
    // What an index holds of a row, unless it can be packed.
    expect(longest).toBeGreaterThan(2_704)
  })
})
