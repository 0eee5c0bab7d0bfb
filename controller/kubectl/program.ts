// `kubectl sealwright COMMAND`: the commands and their options.
import type { Environment } from '#core/platform/config/settings.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { Command, InvalidArgumentError, Option } from 'commander'
import path from 'node:path'
import { UsageError } from './command-error.ts'
import { act, type ActionOptions } from './action.ts'
import { writeBundle } from './bundle/write-bundle.ts'
import type { Cluster } from './cluster.ts'
import { callerFolder, type ClusterOptions, withCluster } from './connect.ts'
import { adopt, resolveConflict } from './decide.ts'
import { KEY_ACTIONS } from './key-actions.ts'
import type { Report } from './report.ts'
import { releaseFinalizers } from './release-finalizers.ts'
import { showKey } from './show-key.ts'
import { showStatus } from './status/show-status.ts'
import { WEBHOOK_ACTIONS } from './webhook-actions.ts'

interface CommonOptions extends ClusterOptions {
  json?: boolean
}
interface ObjectOptions extends CommonOptions, ActionOptions {
  timeout: number
  subscription?: string
  fromRow?: boolean
  fromObject?: boolean
}

const DEFAULT_TIMEOUT_SECONDS = 90

/** The command line; `env` is the environment of the caller. */
export function buildProgram(env: Environment): Command {
  const program = new Command('kubectl-sealwright')
    .description(
      'Show and control the webhooks and signing keys of a Sealwright installation. As a plugin: kubectl sealwright COMMAND.',
    )
    .version(packageFile.version)
    .option('-n, --namespace <name>', 'the namespace of the installation (default: that of the context, else sealwright)')
    .option('--keys-namespace <name>', 'the namespace of the signing keys, if it is another one')
    .option('--kubeconfig <file>', 'as for kubectl')
    .option('--context <name>', 'as for kubectl')
    .option('--json', 'print one JSON value')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(run kubectl sealwright --help for the list of commands)')
  addStatus(program, env)
  addWebhook(program, env)
  addKey(program, env)
  addDecisions(program, env)
  addBundle(program, env)
  addUninstall(program, env)
  return program
}

function addStatus(program: Command, env: Environment): void {
  program
    .command('status')
    .description('leader, outbox, and what needs attention; exit code 1 if something does')
    .action((_: object, command: Command) => run(command.optsWithGlobals(), env, (cluster) => showStatus(cluster, new Date())))
}

function addWebhook(program: Command, env: Environment): void {
  const webhook = program.command('webhook').description('suspend, resume, probe or rotate a webhook')
  const add = (verb: keyof typeof WEBHOOK_ACTIONS, description: string) =>
    addWaiting(webhook, `${verb} <name>`, description, env, (cluster, name, options) =>
      act(cluster, WEBHOOK_ACTIONS[verb], name, options),
    )
  add('suspend', 'stop deliveries; events are recorded as not sent')
  add('resume', 'deliver again')
  add('probe', 'send one signed test event; success enables an automatically disabled endpoint')
  add('rotate', 'make a new signing secret; the previous one stays valid for 24 hours')
}

function addKey(program: Command, env: Environment): void {
  const key = program.command('key').description('show, rotate or retire a signing key')
  addWaiting(key, 'show <name>', 'versions, certificate and conditions', env, showKey)
  const add = (verb: keyof typeof KEY_ACTIONS, description: string) =>
    addWaiting(key, `${verb} <name>`, description, env, (cluster, name, options) =>
      act(cluster, KEY_ACTIONS[verb], name, options),
    )
  add('rotate', 'replace the key by a new version')
  add('retire', 'make no more seals with the key; final')
}

function addDecisions(program: Command, env: Environment): void {
  addWaiting(program, 'adopt <name>', 'let a WebhookSubscription continue an orphaned webhook', env, (cluster, name, options) =>
    adopt(cluster, name, options.subscription ?? '', options),
  ).requiredOption('--subscription <id>', 'the id of the orphaned webhook, from status', uuid)
  addWaiting(
    program,
    'resolve <name>',
    'decide whether Postgres or the object counts after a restore; NAME, whsub/NAME or skey/NAME',
    env,
    (cluster, name, options) => {
      if (!options.fromRow && !options.fromObject) throw new UsageError('Write --from-row or --from-object.')
      return resolveConflict(cluster, name, options.fromRow ? 'from-row' : 'from-object', options)
    },
  )
    .addOption(new Option('--from-row', 'Postgres counts').conflicts('fromObject'))
    .addOption(new Option('--from-object', 'the object counts'))
}

function addBundle(program: Command, env: Environment): void {
  program
    .command('support-bundle')
    .description('write a redacted folder for a support request: objects, events, lease, versions')
    .option('--output <folder>', 'the folder to make (default: sealwright-support-TIME)')
    .action((_: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { output?: string }>()
      const now = new Date()
      const name = options.output ?? `sealwright-support-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
      return run(options, env, (cluster) => writeBundle(cluster, path.resolve(callerFolder(env), name), now))
    })
}

function addUninstall(program: Command, env: Environment): void {
  program
    .command('uninstall')
    .description('after an uninstall: let objects be deleted for which no controller is left')
    .requiredOption('--release-finalizers', 'remove the finalizers of Sealwright from all objects of the namespace')
    .action((_: object, command: Command) => run(command.optsWithGlobals(), env, releaseFinalizers))
}

/** A command about one object that can wait for the controller. */
function addWaiting(
  parent: Command,
  nameAndArguments: string,
  description: string,
  env: Environment,
  carryOut: (cluster: Cluster, name: string, options: ObjectOptions) => Promise<Report>,
): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--wait', 'wait until the controller has done it; exit code 1 if it fails or takes too long')
    .option('--timeout <seconds>', 'how long to wait', seconds, DEFAULT_TIMEOUT_SECONDS)
    .action((name: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<ObjectOptions>()
      return run(options, env, (cluster) => carryOut(cluster, name, { ...options, timeoutMs: options.timeout * 1_000 }))
    })
}

async function run(options: CommonOptions, env: Environment, command: (cluster: Cluster) => Promise<Report>): Promise<void> {
  const { ok, lines, json } = await withCluster(options, env, command)
  process.stdout.write(options.json ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join(''))
  if (!ok) process.exitCode = 1
}

function seconds(text: string): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value < 1) throw new InvalidArgumentError('not a number of seconds from 1 to 99999')
  return value
}

function uuid(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('not the id of a webhook')
}
