// The table of docs/security.md that says which component holds which secret and which token, compared with what the chart gives it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** With an identity provider, a credentials file of NATS, a key file and a rotation of the installation key. */
const EVERY_SECRET = path.join(import.meta.dirname, 'profiles/external.yaml')

/** The files that hold a secret of the table. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'installation key': ['installation-key', 'previous-installation-key'],
  database: ['database-url'],
  S3: ['s3-secret-access-key'],
  mail: ['smtp-url'],
  NATS: ['nats.creds'],
  'key file': ['signing-key.p12', 'signing-key-password'],
  'client secret of OIDC': ['oidc-client-secret'],
}

interface Holdings {
  files: string[]
  hasToken: boolean
}

const Workload = z.object({
  kind: z.enum(['Deployment', 'Job']),
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        volumes: z.array(
          z.object({
            name: z.string(),
            projected: z
              .object({
                sources: z.array(z.object({ secret: z.object({ items: z.array(z.object({ path: z.string() })) }).optional() })),
              })
              .optional(),
          }),
        ),
      }),
    }),
  }),
})

async function givenByChart(): Promise<Record<string, Holdings>> {
  const objects = objectsIn(await renderChart({ args: ['--values', EVERY_SECRET] }))
  const workloads = objects.flatMap((object) => Workload.safeParse(object).data ?? [])
  return Object.fromEntries(
    workloads.map(({ metadata, spec }) => {
      const { volumes } = spec.template.spec
      const sources = volumes.flatMap(({ projected }) => projected?.sources ?? [])
      const files = sources.flatMap(({ secret }) => secret?.items.map((item) => item.path) ?? [])
      const hasToken = volumes.some(({ name }) => name === 'kube-api-access')
      return [metadata.labels['app.kubernetes.io/component']!, { files: files.toSorted(), hasToken }]
    }),
  )
}

test('a component holds the secrets and the token that docs/security.md names', async () => {
  const text = await readFile(path.join(ROOT, 'docs/security.md'), 'utf8')
  const chapter = text.slice(text.indexOf('\n## Who holds what'), text.indexOf('\n## Secrets at rest'))
  const rows = Array.from(chapter.matchAll(/^\| `(\w+)`[^|]*\| ([^|]+) \| [^|]+ \| ([^|]+) \|/gm))
  const named = rows.map(([, component, secrets, token]): [string, Holdings] => [
    component!,
    { files: secrets!.trim().split(', ').flatMap(filesOf).toSorted(), hasToken: token!.trim() !== 'no token' },
  ])
  expect(Object.fromEntries(named)).toEqual(await givenByChart())
})

function filesOf(secret: string): readonly string[] {
  const files = FILES[secret]
  if (!files) throw new Error(`The chart has no secret that is called ${secret}.`)
  return files
}
