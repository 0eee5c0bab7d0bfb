// Private CA certificates from a PEM file named by a setting, parsed at start so that a wrong file is reported then.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Takes the file name and returns its certificates as PEM, one or more. */
export const certificates = z.string().transform((file, context): string[] => {
  try {
    const blocks = readFileSync(file, 'utf8').match(BLOCK) ?? []
    for (const block of blocks) void new X509Certificate(block)
    if (blocks.length > 0) return blocks
    context.addIssue({ code: 'custom', message: 'refers to a file without a PEM certificate' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.addIssue({ code: 'custom', message: `refers to a file that cannot be read: ${reason}` })
  }
  return z.NEVER
})
