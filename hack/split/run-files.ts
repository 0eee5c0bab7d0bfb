// Files that say how to reach the running service: readers never see half of one, and they are removed at the end.
import { rename, rm, writeFile } from 'node:fs/promises'

export interface RunFiles extends AsyncDisposable {
  /** Replaces the file as a whole, after the writes before. */
  write(file: string, text: string): void
  /** Throws the error of the first write that failed. */
  written(): Promise<void>
}

/** Starts empty. Disposing removes what was written. */
export function newRunFiles(): RunFiles {
  const names = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  return {
    write(file, text) {
      names.add(file)
      writing = writing.then(() => replace(file, text))
    },
    written: () => writing,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([writing])
      for (const file of names) await rm(file, { force: true })
    },
  }
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
