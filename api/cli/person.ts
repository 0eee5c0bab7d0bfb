// `sealwright person reset-factor`
import { resetFactorAsOperator } from '#core/account/factor/reset-factor.ts'
import { OrgId } from '#core/ids.ts'
import { checkKey } from '#core/installation/check-key.ts'
import type { Command } from 'commander'
import { Email } from '../schemas/text.ts'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

export function addPerson(program: Command): void {
  const person = program.command('person').description('manage the people who sign in to the panel')
  person
    .command('reset-factor')
    .description(
      'reset the second factor of a person who lost it; they sign in with the password alone until they set up another',
    )
    .requiredOption('--email <email>', 'email address of the person', parsed(Email))
    .option('--org <id>', 'only if the person signs in to this organisation', parsed(OrgId))
    .option('--json', 'print one JSON value')
    .action(resetFactor)
}

async function resetFactor({ email, org, json }: { email: string; org?: OrgId; json?: boolean }): Promise<void> {
  // For the email to the person, which is encrypted until it is sent.
  const keys = await findInstallationKeys()
  const { orgId, personId } = await withDatabase(async ({ database }) => {
    await checkKey({ database, keys })
    return resetFactorAsOperator({ database, keys }, { email, orgId: org })
  })
  print(json, { orgId, personId, reset: true }, [`second factor of the person ${personId} reset; their sessions have ended`])
}
