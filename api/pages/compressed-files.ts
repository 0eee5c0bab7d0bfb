// A Vite plugin that writes each text file of the build also as Brotli and gzip, so that the server never compresses.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Fonts, character maps and images are compressed already. */
const TEXT = /\.(html|css|m?js|svg)$/
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** `name.br` and `name.gz` beside every text file. */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no output folder.')
      const texts = Object.entries(bundle).filter(([name]) => TEXT.test(name))
      await Promise.all(
        texts.map(async ([name, file]) => {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const parameters = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
          await writeFile(path.join(dir, `${name}.br`), await toBrotli(bytes, { params: parameters }))
          await writeFile(path.join(dir, `${name}.gz`), await toGzip(bytes, { level: 9 }))
        }),
      )
    },
  }
}
