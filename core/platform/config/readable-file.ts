// A file that a setting names and a part reads later, perhaps again and again: looked for at once, so that a wrong name is told with all other faults.
import { accessSync, constants, statSync } from 'node:fs'
import { z } from 'zod'

/** Takes the name of a file that can be read, and gives it back. */
export const readableFile = z.string().refine((file) => faultOf(file) === undefined, {
  error: ({ input }) => `cannot be read: ${faultOf(String(input))}`,
  // What it should hold is no question then.
  abort: true,
})

function faultOf(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isFile() ? undefined : 'it is not a file'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
