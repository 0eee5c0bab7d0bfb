// What drawing a page costs a signer's browser, in the units of core/pdf/inspect/drawing-work.ts: pdf.js in Chromium, as the signing page runs it.
// Processor time of all processes of the browser, because other work on the machine would count in the elapsed time.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { simplePdf } from '../support/builders/pdf-builder.ts'
import type { BenchTable } from './run.ts'

interface Shape {
  name: string
  /** Drawn this many times in all: `perForm` times by a form, which the page draws as often as needed. */
  count: number
  perForm: number
  use: string
  resources?: string
  /** From object 7 on. */
  objects?: string[]
}

const PDFJS = path.join(import.meta.dirname, '../../node_modules/pdfjs-dist')
/** 1,000 by 1,000 pixels: a page on a laptop. */
const SCALE = 5
const LIMIT_MS = 120_000
const PAGE_SIZE = '0 0 200 200'
const drawn = (entries: string, data: string): string => `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`
const GRADIENT =
  '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 200 200]/Function<</FunctionType 2/Domain[0 1]/C0[0 0 0]/C1[1 1 1]/N 1>>>>'
const form = (data: string, entries = ''): string => drawn(`/Type/XObject/Subtype/Form/BBox[${PAGE_SIZE}]${entries}`, data)
const TILE = '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>'

/** Each about as often as the inspection accepts. */
const SHAPES: readonly Shape[] = [
  { name: 'empty forms', count: 70_000, perForm: 100, use: '/Y Do ', resources: '/XObject<</Y 7 0 R>>', objects: [form('')] },
  { name: 'short lines', count: 164_000, perForm: 1_000, use: '9 9 m 12 12 l S ' },
  { name: 'small fills', count: 41_000, perForm: 1_000, use: '9 9 5 5 re f ' },
  { name: 'fills of the whole page', count: 41_000, perForm: 100, use: `${PAGE_SIZE} re f ` },
  { name: 'gradients over the whole page', count: 1_200, perForm: 100, use: '/S sh ', resources: `/Shading<</S ${GRADIENT}>>` },
  {
    name: 'gradients in 5 by 5 points',
    count: 1_200,
    perForm: 100,
    use: 'q 9 9 5 5 re W n /S sh Q ',
    resources: `/Shading<</S ${GRADIENT}>>`,
  },
  {
    name: 'tiling patterns over the whole page',
    count: 1_100,
    perForm: 100,
    use: `/Pattern cs /P scn ${PAGE_SIZE} re f `,
    resources: '/Pattern<</P 7 0 R>>',
    objects: [drawn(TILE, '0 0 5 5 re f')],
  },
  {
    name: 'images of 1,000 by 1,000',
    count: 11_000,
    perForm: 100,
    use: 'q 200 0 0 200 0 0 cm /I Do Q ',
    resources: '/XObject<</I 7 0 R>>',
    objects: [
      drawn('/Type/XObject/Subtype/Image/Width 1000/Height 1000/BitsPerComponent 8/ColorSpace/DeviceGray', 'x'.repeat(1_000_000)),
    ],
  },
  {
    name: 'transparency groups of the whole page',
    count: 6_000,
    perForm: 100,
    use: '/G Do ',
    resources: '/XObject<</G 7 0 R>>',
    objects: [form('9 9 5 5 re f', '/Group<</S/Transparency>>')],
  },
]

/** Milliseconds of one use, and the memory at the end of all. */
export async function run(): Promise<BenchTable[]> {
  const rows: (string | number)[][] = []
  for (const shape of SHAPES) rows.push(await measure(shape))
  const columns = ['drawn', 'times', 'CPU, ms', 'CPU of one, µs', 'elapsed, ms', 'memory, MiB']
  return [{ title: 'Drawing one page with pdf.js in Chromium (1,000 x 1,000 pixels)', columns, rows }]
}

function fileOf({ count, perForm, use, resources = '', objects = [] }: Shape): Buffer {
  const many = form(use.repeat(perForm), `/Resources<<${resources}>>`)
  return simplePdf({
    content: '/X Do '.repeat(count / perForm),
    page: '/Resources<</XObject<</X 6 0 R>>>>',
    objects: [many, ...objects],
  })
}

async function measure(shape: Shape): Promise<(string | number)[]> {
  inspectPdf(bufferSource(fileOf(shape)), { refuseActiveContent: true })
  const server = createServer((request, response) => {
    const name = request.url ?? '/'
    if (name === '/') response.setHeader('content-type', 'text/html').end('<!doctype html><canvas></canvas>')
    else if (name === '/file.pdf') response.end(fileOf(shape))
    else
      response
        .setHeader('content-type', 'text/javascript')
        .end(readFileSync(path.join(PDFJS, 'legacy/build', path.basename(name))))
  }).listen(0, '127.0.0.1')
  const browser = await chromium.launchServer({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const pid = browser.process().pid ?? 0
  try {
    const client = await chromium.connect(browser.wsEndpoint())
    const page = await client.newPage()
    page.setDefaultTimeout(LIMIT_MS)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await open(page)
    const before = usageOf(pid).milliseconds
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, usageOf(pid).mebibytes)), 200)
    const elapsed = await draw(page)
    clearInterval(watch)
    const after = usageOf(pid)
    const spent = after.milliseconds - before
    return [shape.name, shape.count, spent, (spent * 1000) / shape.count, elapsed, Math.max(peak, after.mebibytes)]
  } finally {
    await browser.close()
    server.close()
  }
}

async function open(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    window.pdfjs = await import('/pdf.mjs')
    pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs'
    window.file = await pdfjs.getDocument({ url: '/file.pdf', useWasm: false, enableXfa: false }).promise
  })()`)
}

/** Reading a pixel waits until the browser has painted. */
function draw(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const start = performance.now()
    const canvas = document.querySelector('canvas')
    const page = await file.getPage(1)
    const viewport = page.getViewport({ scale: ${SCALE} })
    Object.assign(canvas, { width: viewport.width, height: viewport.height })
    await page.render({ canvas, viewport }).promise
    canvas.getContext('2d').getImageData(0, 0, 1, 1)
    return performance.now() - start
  })()`)
}

/** Of this process and all below it. */
function usageOf(root: number): { milliseconds: number; mebibytes: number } {
  const found = new Map<number, { parent: number; ticks: number; pages: number }>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number)
      found.set(Number(name), { parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0), pages: fields[21] ?? 0 })
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(found.get(pid)?.parent ?? 0))
  const own = [...found].filter(([pid]) => isBelow(pid)).map(([, usage]) => usage)
  return {
    milliseconds: own.reduce((sum, { ticks }) => sum + ticks * 10, 0),
    mebibytes: own.reduce((sum, { pages }) => sum + pages / 256, 0),
  }
}
