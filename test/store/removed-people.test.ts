// Removing a person concurrently with a change of rows that refer to them must not deadlock.
import { randomUUID } from 'node:crypto'
import type { PersonCaller } from '#core/context.ts'
import { PersonId } from '#core/ids.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { removePerson } from '#core/account/person/remove-person.ts'
import { insertPerson } from '#core/account/person/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { fromPostgresError } from '#core/platform/postgres/postgres-error.ts'
import { createWorkspace } from '#core/account/workspace/create-workspace.ts'
import { replaceMembers } from '#core/account/workspace/replace-members.ts'
import { openLog } from '#core/platform/log.ts'
import { expect, test } from 'vitest'
import { testDatabase } from '../support/servers/test-database.ts'

test('the members of a workspace are replaced while one of them is removed', async () => {
  await using database = await testDatabase()
  const { orgId } = await createOrganisation({ database: database.system }, { name: 'Test organisation' })
  const core = { database: database.api, log: openLog('silent') }
  const person = async (role: 'ADMIN' | 'MEMBER'): Promise<PersonCaller> => {
    const personId = PersonId.parse(randomUUID())
    const email = `${personId}@example.test`
    await inOrganisation(database.api, orgId, (sql) =>
      insertPerson(sql, orgId, { id: personId, email, name: 'Ada', role, passwordHash: null }),
    )
    return { kind: 'person', orgId, personId, role, email, name: 'Ada', origin: { address: null, userAgent: null } }
  }
  const admin = await person('ADMIN')
  const { id } = await createWorkspace(core, admin, 'Sales')
  for (let round = 0; round < 10; round++) {
    const people = await Promise.all(Array.from({ length: 12 }, () => person('MEMBER')))
    const members = people.map(({ personId }) => ({ personId, permissions: ['envelope:read' as const] }))
    await replaceMembers(core, admin, id, members)
    const [replaced, removed] = await Promise.allSettled([
      replaceMembers(core, admin, id, members),
      removePerson(core, admin, members[11]!.personId),
    ])
    expect(removed).toMatchObject({ status: 'fulfilled' })
    if (replaced.status === 'rejected') expect(fromPostgresError(replaced.reason)).toMatchObject({ code: 'PERSON_NOT_FOUND' })
  }
})
