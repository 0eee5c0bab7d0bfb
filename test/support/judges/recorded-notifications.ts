// Records everything that is published, including duplicates, which NATS streams would drop.
import { connect } from 'nats'

export interface NotificationRecorder extends AsyncDisposable {
  /** The ids of the published outbox rows, in the server's order. */
  rows: number[]
}

/** Records what is published from now on. */
export async function recordNotifications(natsUrl: string): Promise<NotificationRecorder> {
  const connection = await connect({ servers: natsUrl })
  const rows: number[] = []
  connection.subscribe('sealwright.>', {
    callback: (_error, message) => {
      rows.push(Number(message.headers?.get('Nats-Msg-Id')))
    },
  })
  await connection.flush()
  return { rows, [Symbol.asyncDispose]: () => connection.close() }
}
