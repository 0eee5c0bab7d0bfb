import { randomUUID } from 'node:crypto'
import { PersonId } from '#core/ids.ts'
import { assertAdminStays } from '#core/account/person/admin-rules.ts'
import { expect, test } from 'vitest'

const able = () => ({ id: PersonId.parse(randomUUID()), isInvited: false })
const invited = () => ({ id: PersonId.parse(randomUUID()), isInvited: true })
const [ada, ben, cleo, dan] = [able(), able(), invited(), invited()]

test.each([
  ['one of two who can sign in', [ada, ben], ada, true],
  ['the only one', [ada], ada, false],
  ['the only one who can sign in, beside invited ones', [ada, cleo, dan], ada, false],
  ['an invited one, beside one who can sign in', [ada, cleo], cleo, true],
  ['one of two invited ones, when no admin has signed in yet', [cleo, dan], cleo, true],
  ['the only one, who is invited', [cleo], cleo, false],
  ['a person who is no admin', [ada], ben, true],
])('%s', (_, admins, leaving, may) => {
  const leave = () => assertAdminStays(admins, leaving.id)
  if (may) expect(leave).not.toThrow()
  else expect(leave).toThrow(expect.objectContaining({ code: 'LAST_ADMIN' }))
})
