// `npm run chart:images`: every image that the chart can use, with its digest where the values name one. Arguments are passed to `helm template`.
import { imagesIn, renderChart } from './chart/render.ts'

const EVERYTHING = ['--values', 'charts/sealwright/values-eval.yaml']

try {
  const given = process.argv.slice(2)
  const images = imagesIn(await renderChart({ args: [...EVERYTHING, ...given] }))
  console.log(images.join('\n'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  if (process.connected) process.disconnect()
}
