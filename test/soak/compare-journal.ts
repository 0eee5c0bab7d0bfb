// Compares what users got as answers with what there is.
import type { Subject } from './journal.ts'
import type { Row, Stores } from './read-stores.ts'

/** One sentence for each thing that was acknowledged and is lost, or done twice. */
export function compareJournal(subject: Subject, { rows, objects }: Stores): string[] {
  const { name, id, origin, state } = subject
  const row = rows.find((each) => (origin === 'API' ? each.id === id : each.object?.uid === id))
  const object = objects.find(({ metadata }) => (origin === 'API' ? metadata.name === name : metadata.uid === id))
  if (state === 'unsure') return []
  if (state === 'vanished' && row?.orphanedAt) return []
  if (state === 'vanished') return [`${name} lost its object and ${row ? 'is not marked as orphaned' : 'its row'}`]
  if (state === 'deleted') return findLeft(name, row, object)
  return row ? [...compareValues(subject, row), ...compareRotations(subject, row)] : [`the row of ${name} is lost`]
}

function findLeft(name: string, row: Row | undefined, object: object | undefined): string[] {
  return row || object ? [`${name} was deleted and has ${row ? 'a row' : 'its object'}`] : []
}

function compareValues({ name, expected }: Subject, row: Row): string[] {
  const fields = ['description', 'suspended', 'disabledByAdmin', 'lastProbeRequest'] as const
  return fields.flatMap((field) => {
    const values: readonly unknown[] | undefined = expected[field]
    if (!values || values.includes(row[field])) return []
    return [`${name}: ${field} is ${JSON.stringify(row[field])}, acknowledged was ${JSON.stringify(values)}`]
  })
}

/** Each request that was acknowledged made one new secret. */
function compareRotations({ name, rotations: { sure, unsure } }: Subject, { secret }: Row): string[] {
  const made = secret.revision - 1
  if (made >= sure && made <= sure + unsure) return []
  return [`${name} has ${made} new secrets after ${sure} requests (${unsure} more without an answer)`]
}
