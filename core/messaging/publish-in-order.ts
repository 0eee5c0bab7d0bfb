// Keeps the order of messages when some are stored and others are not: partitions in parallel, the messages of a partition one by one.

/** Publishes the messages, those of one partition one after the other; resolves when all are stored. After an error it starts no more, waits for
 *  running ones, so that a retry runs alone, and throws the first error. */
export async function publishInOrder<Message extends { partition: number }>(
  messages: readonly Message[],
  publish: (message: Message) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  const partitions = Map.groupBy(messages, ({ partition }) => partition)
  const publishPartition = async (partition: readonly Message[]): Promise<void> => {
    try {
      for (const message of partition) {
        if (errors.length > 0) return
        await publish(message)
      }
    } catch (error) {
      errors.push(error)
    }
  }
  await Promise.all([...partitions.values()].map(publishPartition))
  if (errors.length > 0) throw errors[0]
}
