// Compares what users were told with what there is.
import type { Subject } from './journal.ts'
import type { Row, Stores } from './read-stores.ts'

/** One sentence for each thing that was acknowledged and is lost, or done twice. */
export function compareJournal(subject: Subject, { rows, objects }: Stores): string[] {
  const { name, id, origin, state } = subject
  const row = rows.find((each) => (origin === 'API' ? each.id === id : each.object?.uid === id))
  switch (state) {
    case 'unsure':
      return []
    case 'vanished':
      return row?.orphanedAt ? [] : [`${name} lost its object and ${row ? 'is not marked as orphaned' : 'its row'}`]
    case 'deleted': {
      const object = objects.find(({ metadata }) => (origin === 'API' ? metadata.name === name : metadata.uid === id))
      return row || object ? [`${name} was deleted and has ${row ? 'a row' : 'its object'}`] : []
    }
    default:
      return row ? [...compareValues(subject, row), ...compareRotations(subject, row)] : [`the row of ${name} is lost`]
  }
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
