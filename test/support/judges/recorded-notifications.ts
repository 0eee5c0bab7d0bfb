// Listens to everything that is published, doubles too, which the streams of NATS would leave out.
import { connect } from 'nats'

export interface NotificationRecorder extends AsyncDisposable {
  /** The ids of the outbox rows that were told of, in the order of the server. */
  rows: number[]
}

/** Hears what is published from now on. */
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
