// The servers that the evaluation profile runs beside the service.
import { flag, type Schema, section, text } from './schema.ts'

function image(repository: string, tag: string): Schema {
  return section(`The image, by default ${repository}.`, {
    repository: text('Name with registry.', repository),
    tag: text('Tag.', tag),
    digest: digest(),
  })
}

export function digest(): Schema {
  return text('Wins over the tag: `sha256:...`.', '', { pattern: '^$|^sha256:[0-9a-f]{64}$' })
}

export const EVALUATION = section(
  'For a trial: own servers without backups, emails kept instead of sent, a first organisation.',
  {
    enabled: flag('Whether this is a trial. Use values-eval.yaml.', false),
    persistence: flag('Whether the servers keep their data on volumes of the default StorageClass.', true),
    storageSize: text('Size of each of these volumes.', '2Gi', { pattern: '^[0-9]+[MGT]i$' }),
    postgres: section('The Postgres server.', { image: image('docker.io/library/postgres', '17') }),
    nats: section('The NATS server.', { image: image('docker.io/library/nats', '2.12-alpine') }),
    objectStore: section('The S3 server.', { image: image('docker.io/versity/versitygw', 'v1.8.0') }),
  },
)
