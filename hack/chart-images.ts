// `npm run chart:images`: the images of an installation, with their digests as far as the values name them. Arguments are passed to `helm template`.
import { describeMissingDigests, listImages } from './chart/images.ts'

try {
  const images = await listImages(process.argv.slice(2))
  for (const { name } of images) console.log(name)
  const problem = describeMissingDigests(images)
  // Apart from the list, which is read by other programs.
  if (problem) console.error(`\n${problem}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  if (process.connected) process.disconnect()
}
