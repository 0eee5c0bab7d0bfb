// A Vite plugin that ships the files pdf.js loads by name: its worker, character maps, standard fonts and image decoders. The folder
// name contains the version, so these files can be cached for ever like the hashed ones.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const packageFile = require.resolve('pdfjs-dist/package.json')

// NOTE: the decoders are the plain JavaScript builds; WebAssembly would need 'wasm-unsafe-eval' in the policy.
const FOLDERS = [
  { name: 'legacy/build', wanted: /^pdf\.worker\.min\.mjs$/ },
  { name: 'cmaps', wanted: /\.bcmap$/ },
  { name: 'standard_fonts', wanted: /\.(pfb|ttf)$|^LICENSE/ },
  { name: 'wasm', wanted: /_nowasm_fallback\.js$|^LICENSE_(PDFJS_)?(JBIG2|OPENJPEG)$/ },
]

/** The path of the shipped pdf.js files below the site's root, ending in a slash. */
export function pdfjsFolder(): string {
  const { version }: { version: string } = require('pdfjs-dist/package.json')
  return `assets/pdfjs-${version}/`
}

/** Paths inside pdfjs-dist of every file that is shipped. */
export function listPdfjsFiles(): string[] {
  return FOLDERS.flatMap(({ name, wanted }) =>
    readdirSync(join(dirname(packageFile), name))
      .filter((file) => wanted.test(file))
      .map((file) => `${name}/${file}`),
  )
}

/** Emits the files into the build and tells the browser code their folder as `PDFJS_FOLDER`. */
export function pdfjsFiles(): Plugin {
  return {
    name: 'pdfjs-files',
    apply: 'build',
    config: () => ({ define: { PDFJS_FOLDER: JSON.stringify(`/${pdfjsFolder()}`) } }),
    generateBundle() {
      for (const file of listPdfjsFiles()) {
        this.emitFile({ type: 'asset', fileName: pdfjsFolder() + file, source: readFileSync(join(dirname(packageFile), file)) })
      }
    },
  }
}
