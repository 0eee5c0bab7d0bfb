// A file that is named by a setting and read later, perhaps repeatedly: checked at start so that a wrong name is reported with all other errors.
import { accessSync, constants, statSync } from 'node:fs'
import { z } from 'zod'

/** Takes and returns the name of a readable file. */
export const readableFile = z.string().refine((file) => readErrorOf(file) === undefined, {
  error: ({ input }) => `cannot be read: ${readErrorOf(String(input))}`,
  // Its content is not checked then.
  abort: true,
})

function readErrorOf(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isFile() ? undefined : 'it is not a file'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
