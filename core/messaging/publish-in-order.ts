// The order of messages when the notifier takes some and not others: lanes side by side, in a lane each after the one before was taken.

/** Publishes the messages, those of one lane one after the other; resolves when all were taken. After a fault nothing more is begun, and what is under
 *  way is waited for, so that whoever tries again is alone; then throws the first fault. */
export async function publishInOrder<Message extends { lane: number }>(
  messages: readonly Message[],
  publish: (message: Message) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = []
  const lanes = Map.groupBy(messages, ({ lane }) => lane)
  const publishLane = async (lane: readonly Message[]): Promise<void> => {
    try {
      for (const message of lane) {
        if (faults.length > 0) return
        await publish(message)
      }
    } catch (error) {
      faults.push(error)
    }
  }
  await Promise.all([...lanes.values()].map(publishLane))
  if (faults.length > 0) throw faults[0]
}
