// `npm run generate`: writes the committed files that are generated from code. With `--check` it writes nothing and fails when one is
// outdated.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { format } from 'oxfmt'
import { describeApi, describePanel } from '../api/openapi/document.ts'
import { SIGNING_KEY_KIND } from '../controller/signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTION_KIND } from '../controller/webhook-subscription/resource.ts'
import { CHART_FILES } from './chart/generated-files.ts'
import { crdYaml } from './crds/crd.ts'
import { customResourceReference } from './crds/reference.ts'
import { dumpSchema } from './schema/dump-schema.ts'

const ROOT = path.join(import.meta.dirname, '..')

const PRINT_WIDTH = 130

const GENERATED: Readonly<Record<string, () => Promise<string>>> = {
  'api/openapi/openapi.json': () => toJson('openapi.json', describeApi()),
  'api/openapi/settings.json': () => toJson('settings.json', describePanel()),
  'crds/signingkeys.yaml': () => formatted('signingkeys.yaml', crdYaml(SIGNING_KEY_KIND)),
  'crds/webhooksubscriptions.yaml': () => formatted('webhooksubscriptions.yaml', crdYaml(WEBHOOK_SUBSCRIPTION_KIND)),
  'docs/custom-resources.md': () => formatted('custom-resources.md', customResourceReference()),
  // Starts a Postgres, which takes 2 s: less than a second mechanism that compares without one would cost its readers.
  'core/schema/schema.sql': () => dumpSchema(),
  ...Object.fromEntries(Object.entries(CHART_FILES).map(([file, make]) => [file, async () => chartFile(file, await make())])),
}

/** Templates are not YAML. */
async function chartFile(file: string, text: string): Promise<string> {
  return file.includes('/templates/') ? text : await formatted(file, text)
}

async function toJson(file: string, value: object): Promise<string> {
  return await formatted(file, JSON.stringify(value, null, 2))
}

/** So that formatter and generator agree. */
async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, { printWidth: PRINT_WIDTH, singleQuote: true })
  if (errors.length > 0) throw new Error(`${file} cannot be formatted.`)
  return code
}

async function isCurrent(file: string, content: string): Promise<boolean> {
  return (await readFile(path.join(ROOT, file), 'utf8').catch(() => '')) === content
}

const onlyCheck = process.argv.includes('--check')
for (const [file, make] of Object.entries(GENERATED)) {
  const content = await make()
  if (await isCurrent(file, content)) continue
  if (onlyCheck) {
    console.error(`${file} is out of date: run "npm run generate" and commit it.`)
    process.exitCode = 1
  } else {
    await mkdir(path.dirname(path.join(ROOT, file)), { recursive: true })
    await writeFile(path.join(ROOT, file), content)
    console.log(`wrote ${file}`)
  }
}
