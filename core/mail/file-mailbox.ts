// Emails without SMTP: stored in a folder and shown on a page, never sent. One file per email, named by its id, so that a second attempt replaces it.
import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import type { MailTransport } from './mail-transport.ts'

const StoredMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: z.string(),
})
export type StoredMail = z.infer<typeof StoredMail>

export interface FileMailbox extends MailTransport {
  /** Newest first. */
  list(): Promise<StoredMail[]>
}

/** Stores emails in `folder`, which is created when missing. */
export async function openFileMailbox(folder: string): Promise<FileMailbox> {
  await ensureDirectory(folder)
  return {
    async send({ id, to, sentAt, subject, text, html }) {
      const file = path.join(folder, `${id}.json`)
      const mail: StoredMail = { id, to, subject, text, html, sentAt: sentAt.toISOString() }
      await writeFile(`${file}.new`, JSON.stringify(mail), { mode: 0o600, flush: true })
      // File systems take a file's time from a coarse clock; two emails in quick succession would have no order.
      const storedAt = (performance.timeOrigin + performance.now()) / 1000
      await utimes(`${file}.new`, storedAt, storedAt)
      await rename(`${file}.new`, file)
      return { outcome: 'accepted' }
    },
    async list() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const files = await Promise.all(names.map((name) => readStoredFile(path.join(folder, name))))
      return files.toSorted(newestFirst).map(({ mail }) => mail)
    },
    lastError: () => undefined,
    mayTry: () => true,
    async close() {},
  }
}

interface StoredFile {
  mail: StoredMail
  storedAtMs: number
}

/** Orders emails by their sending time; within one millisecond by the file's time. */
function newestFirst(left: StoredFile, right: StoredFile): number {
  return right.mail.sentAt.localeCompare(left.mail.sentAt) || right.storedAtMs - left.storedAtMs
}

async function readStoredFile(file: string): Promise<StoredFile> {
  const { mtimeMs: storedAtMs } = await stat(file)
  return { mail: StoredMail.parse(JSON.parse(await readFile(file, 'utf8'))), storedAtMs }
}
