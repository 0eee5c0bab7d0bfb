// Builds the pages: one HTML file per path, hashed files under /assets/. The output has no inline scripts, inline styles or
// data: URLs, because the service's Content-Security-Policy forbids them.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressedFiles } from './compressed-files.ts'
import { pdfjsFiles } from './pdfjs-files.ts'

// A build started from a test would otherwise inherit NODE_ENV=test and ship React's development build.
// oxlint-disable-next-line node/no-process-env -- the builder's own switch, not a setting of ours
process.env['NODE_ENV'] = 'production'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  base: '/',
  plugins: [react(), pdfjsFiles(), compressedFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read when the image is assembled; not served.
    license: { fileName: '.vite/license.json' },
    // pdf.js is one large file that only pages showing a PDF load.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: { sign: `${root}sign.html`, verify: `${root}verify.html`, settings: `${root}settings.html` } },
  },
})
