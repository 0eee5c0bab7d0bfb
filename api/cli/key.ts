// `sealwright key list | import | rotate | retire | compromised`
import { OrgId } from '#core/ids.ts'
import { claimKey } from '#core/installation/check-key.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { type Imported, importKey } from '#core/signing-key/import-key.ts'
import { listKeys, readKey } from '#core/signing-key/list-keys.ts'
import { openKeyOpener } from '#core/signing-key/loading/key-opener.ts'
import type { OpenedKey } from '#core/signing-key/loading/key-task.ts'
import { markCompromised } from '#core/signing-key/mark-compromised.ts'
import { replacingCommand } from '#core/signing-key/replacing-command.ts'
import { retireKey } from '#core/signing-key/retire-key.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import type { Command } from 'commander'
import { z } from 'zod'
import { readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { describeKey, toKeyJson } from './describe-key.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'
import { readNamed } from './read-named.ts'

const KeyId = z.guid({ error: 'not a valid key ID' })
const Time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform((value) => new Date(value))

export function addKey(program: Command): void {
  const key = program.command('key').description('manage the keys that seal')
  key
    .command('list')
    .description('list the signing keys with their versions')
    .option('--json', 'print one JSON value')
    .action(list)
  key
    .command('import')
    .description('seal with the key of a PKCS#12 file as soon as every worker has loaded it')
    .requiredOption('--p12 <file>', 'the PKCS#12 file')
    .option('--password-file <file>', 'file with its password (default: no password)')
    .option('--org <id>', 'only for this organisation (default: the whole installation)', parsed(OrgId))
    .option('--json', 'print one JSON value')
    .action(importFile)
  key
    .command('rotate')
    .description('replace a self-signed key by a new one')
    .option('--id <id>', "key ID (default: the installation's own key)", parsed(KeyId))
    .option('--json', 'print one JSON value')
    .action(rotate)
  key
    .command('retire')
    .description('stop sealing with an imported key, for ever')
    .requiredOption('--id <id>', 'key ID', parsed(KeyId))
    .option('--json', 'print one JSON value')
    .action(retire)
  key
    .command('compromised')
    .description('declare seals that a key made from a time on as not valid')
    .requiredOption('--id <id>', 'key ID', parsed(KeyId))
    .requiredOption('--since <time>', 'when it was compromised, such as 2026-01-31T12:00:00Z', parsed(Time))
    .option('--json', 'print one JSON value')
    .action(compromised)
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const keys = await withDatabase((core) => listKeys(core))
  print(json, keys.map(toKeyJson), keys.length > 0 ? keys.flatMap(describeKey) : ['no signing keys'])
}

interface ImportOptions {
  p12: string
  passwordFile?: string
  org?: OrgId
  json?: boolean
}

async function importFile({ p12, passwordFile, org, json }: ImportOptions): Promise<void> {
  const keys = await findInstallationKeys()
  const environment = readEnvironment()
  const bytes = await readNamed(resolveArgument(p12, environment))
  const text = passwordFile === undefined ? '' : (await readNamed(resolveArgument(passwordFile, environment))).toString('utf8')
  const imported = await withDatabase(async ({ database }) => {
    await claimKey({ database, keys })
    const opened = await open(bytes, text.replace(/\r?\n$/, ''), await databaseNow(database), p12)
    return importKey({ database, keys }, { ...(org && { orgId: org }), opened })
  })
  printVersion(json, imported)
}

/** On a thread. Throws an error that names the file. */
async function open(bytes: Buffer, password: string, now: Date, file: string): Promise<OpenedKey> {
  const opener = openKeyOpener()
  try {
    const answer = await opener.open({ kind: 'P12', bytes, password }, now)
    if (!answer.ok) throw new Error(`${toVisibleLine(file)}: ${answer.message} (${answer.reason})`)
    return answer.key
  } finally {
    await opener.close()
  }
}

function printVersion(json: boolean | undefined, { keyId: id, version, stateBefore }: Imported): void {
  const name = `version ${version} of the signing key ${id}`
  const line =
    stateBefore === undefined
      ? `${name} is announced; it seals as soon as every worker has loaded it`
      : `${name} has this key already; its state is ${stateBefore}`
  print(json, { id, version }, [line])
}

async function rotate({ id, json }: { id?: string; json?: boolean }): Promise<void> {
  const keys = await findInstallationKeys()
  const rotated = await withDatabase(async ({ database }) => {
    await claimKey({ database, keys })
    return rotateKey({ database, keys }, id === undefined ? {} : { id })
  })
  printVersion(json, rotated)
}

async function retire({ id, json }: { id: string; json?: boolean }): Promise<void> {
  await withDatabase((core) => retireKey(core, id))
  print(json, { id, retired: true }, [`signing key ${id} retired`])
}

async function compromised({ id, since, json }: { id: string; since: Date; json?: boolean }): Promise<void> {
  const key = await withDatabase(async (core) => {
    await markCompromised(core, id, since)
    return readKey(core, { id })
  })
  print(json, { id, compromisedSince: since.toISOString() }, [
    `seals of the signing key ${id} from ${since.toISOString()} on are not valid any more`,
    ...(key?.active
      ? [`documents wait until it is replaced: ${replacingCommand({ ...key, selfMade: key.active.selfMade })}`]
      : []),
  ])
}
