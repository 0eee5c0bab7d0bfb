// Foreign changes of our streams and consumers are reverted, or rejected by name.
import { CONSUMERS } from '#core/messaging/jetstream/consumers.ts'
import { AckPolicy, type ConsumerConfig, DiscardPolicy, type StreamUpdateConfig } from '@nats-io/jetstream'
import { nanos } from 'nats'
import { describe, expect, test } from 'vitest'
import { aNotifier, aServer, managing, message, published, expectNotification } from '../support/servers/nats-notifiers.ts'

const SEAL = 'sealwright.seal.requested'
const WORK_STREAM = 'sealwright-work'

describe('opening a notifier fails and names stream and consumer', () => {
  const replacedBy = async (url: string, config: Partial<ConsumerConfig>): Promise<void> => {
    await aNotifier(url)
    await managing(url, async (manager) => {
      await manager.consumers.delete(WORK_STREAM, 'seal')
      await manager.consumers.add(WORK_STREAM, { filter_subject: SEAL, ack_policy: AckPolicy.Explicit, ...config })
    })
  }

  test('when a consumer pushes', async () => {
    const { url } = await aServer()
    await replacedBy(url, { durable_name: 'seal', deliver_subject: 'elsewhere' })
    await expect(aNotifier(url)).rejects.toThrow(
      'SEALWRIGHT_NATS_URL: the consumer seal of the stream sealwright-work cannot be updated: can not update push consumer to pull based. Delete it: it contains only notifications, no jobs, and is created again.',
    )
  })

  test('when a foreign consumer takes its notifications, which is named as well', async () => {
    const { url } = await aServer()
    await replacedBy(url, { durable_name: 'stranger' })
    await expect(aNotifier(url)).rejects.toThrow(
      "SEALWRIGHT_NATS_URL: the consumer seal of the stream sealwright-work cannot be created: filtered consumer not unique on workqueue stream. Delete the consumers of this stream that are not Sealwright's: stranger.",
    )
  })

  test('when a foreign consumer takes all notifications', async () => {
    const { url } = await aServer()
    await aNotifier(url)
    await managing(url, async (manager) => {
      for (const name of Object.values(CONSUMERS)) await manager.consumers.delete(WORK_STREAM, name)
      await manager.consumers.add(WORK_STREAM, { durable_name: 'greedy', ack_policy: AckPolicy.Explicit })
    })
    await expect(aNotifier(url)).rejects.toThrow(/that are not Sealwright's: greedy\.$/)
  })

  test('when a stream was sealed, which cannot be reverted', async () => {
    const { url } = await aServer()
    await aNotifier(url)
    const sealed: Partial<StreamUpdateConfig> & { sealed: boolean } = { sealed: true }
    await managing(url, (manager) => manager.streams.update(WORK_STREAM, sealed))
    await expect(aNotifier(url)).rejects.toThrow(/^The stream sealwright-work cannot be updated to .*: .*\. Delete it/)
  })
})

describe('a foreign change is reverted at the next start:', () => {
  test.each<[string, Partial<StreamUpdateConfig>]>([
    ['the size of a message', { max_msg_size: 10 }],
    ['the size of the stream', { max_bytes: 100 }],
    ['how many messages it holds', { max_msgs: 1 }],
    [
      'how many it holds of a subject, and what is dropped',
      { max_msgs_per_subject: 1, discard: DiscardPolicy.New, discard_new_per_subject: true },
    ],
    ['that messages are acknowledged', { no_ack: true }],
    ['what consumers may hold', { consumer_limits: { max_ack_pending: 10_000, inactive_threshold: nanos(60_000) } }],
    ['where messages go', { subject_transform: { src: '>', dest: 'elsewhere.>' } }],
  ])('%s', async (_, edit) => {
    const { url } = await aServer()
    await aNotifier(url)
    await managing(url, async (manager) => {
      const { config: declared } = await manager.streams.info(WORK_STREAM)
      await manager.streams.update(WORK_STREAM, edit)
      await aNotifier(url)
      expect((await manager.streams.info(WORK_STREAM)).config).toEqual(declared)
    })
  })

  test.each<[string, Partial<ConsumerConfig>]>([
    ['what a consumer delivers', { headers_only: true }],
    ['how much it delivers at once', { max_batch: 1, max_expires: nanos(1_000) }],
    ['how often and when it redelivers', { max_deliver: 3, backoff: [nanos(1_000)] }],
    ['how long it lives unused', { inactive_threshold: nanos(60_000) }],
    ['which subject it takes', { filter_subject: 'sealwright.other' }],
  ])('%s', async (_, edit) => {
    const { url } = await aServer()
    await aNotifier(url)
    await managing(url, async (manager) => {
      const { config: declared } = await manager.consumers.info(WORK_STREAM, 'seal')
      await manager.consumers.update(WORK_STREAM, 'seal', edit)
      await aNotifier(url)
      expect((await manager.consumers.info(WORK_STREAM, 'seal')).config).toEqual(declared)
    })
  })

  test('a pause', async () => {
    const { url } = await aServer()
    await aNotifier(url)
    await managing(url, (manager) => manager.consumers.pause(WORK_STREAM, 'seal', new Date(Date.now() + 3_600_000)))
    const notifier = await aNotifier(url)
    await notifier.publish([message('1')])
    await expectNotification(notifier).toEqual({ id: '1' })
  })
})

test('a notifier in use names and reverts a stream with a too small message size', async () => {
  const { url } = await aServer()
  const notifier = await aNotifier(url)
  await managing(url, (manager) => manager.streams.update(WORK_STREAM, { max_msg_size: 10 }))
  await expect(notifier.publish([message('1')])).rejects.toThrow(
    /^The stream sealwright-work does not accept notifications: message size exceeds maximum allowed\./,
  )
  expect(notifier.lastError()).toMatch(/^The stream sealwright-work does not accept notifications/)
  await published(notifier, '2')
  await expectNotification(notifier).toEqual({ id: '2' })
})
