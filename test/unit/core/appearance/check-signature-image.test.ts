// The signature image of a sign request: a valid one keeps its pixels in a new file, an invalid one is refused with a sentence.
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkSignatureImage } from '#core/appearance/check-signature-image.ts'
import { decodePng } from '#core/png/decode-png.ts'
import { readPngParts } from '#core/png/read-png.ts'
import { buildPng, PNG_SIGNATURE, pngChunk, pngHeader, type PngShape } from '../png/png-builder.ts'

const RGBA = { width: 3, height: 2, bitDepth: 8, colourType: 6, interlaced: false } as const
/** One black pixel, then transparent ones. */
const RGBA_LINES = deflateSync(Buffer.from([0, 0, 0, 0, 255, ...Buffer.alloc(21)]))
const END = pngChunk('IEND', Buffer.alloc(0))

function pngOf(...chunks: Buffer[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks])
}

function checked(png: Buffer) {
  return checkSignatureImage(png.toString('base64'))
}

function pixelsOf(png: Buffer) {
  return decodePng(readPngParts(png))
}

describe('an acceptable signature image', () => {
  it('keeps its pixels in every colour type, depth and interlace', () => {
    const palette = Array.from({ length: 16 * 3 }, (_, index) => (index * 37) % 256)
    for (const [colourType, depths] of [
      [0, [1, 2, 4, 8]],
      [2, [8]],
      [3, [1, 2, 4, 8]],
      [4, [8]],
      [6, [8]],
    ] as const) {
      for (const bitDepth of depths) {
        for (const interlaced of [false, true]) {
          for (const [width, height] of [
            [1, 1],
            [3, 5],
            [13, 9],
          ] as const) {
            const most = colourType === 3 ? Math.min(16, 2 ** bitDepth) : 2 ** bitDepth
            const channels = [1, 0, 3, 1, 2, 0, 4][colourType]!
            const sampleAt = (x: number, y: number) =>
              Array.from({ length: channels }, (_, c) => (x * 31 + y * 57 + c * 101) % most)
            const shape: PngShape = { width, height, bitDepth, colourType, interlaced, sampleAt }
            if (colourType === 3) shape.palette = palette.slice(0, most * 3)
            const image = pixelsOf(checked(buildPng(shape)))
            for (let y = 0; y < height; y++) {
              for (let x = 0; x < width; x++) {
                const got = [...image.pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
                expect(got, JSON.stringify({ colourType, bitDepth, interlaced, x, y })).toEqual(rgba(shape, sampleAt(x, y)))
              }
            }
          }
        }
      }
    }
  })

  it('keeps the transparency of a tRNS chunk', () => {
    const grey: PngShape = { ...RGBA, colourType: 0, bitDepth: 4, sampleAt: (x) => [x], transparency: [0, 1] }
    expect([...pixelsOf(checked(buildPng(grey))).pixels.subarray(0, 12)]).toEqual([0, 0, 0, 255, 17, 17, 17, 0, 34, 34, 34, 255])
    const colour: PngShape = { ...RGBA, colourType: 2, sampleAt: (x) => [x, 7, 8], transparency: [0, 1, 0, 7, 0, 8] }
    expect([...pixelsOf(checked(buildPng(colour))).pixels.subarray(0, 12)]).toEqual([0, 7, 8, 255, 1, 7, 8, 0, 2, 7, 8, 255])
    const indexed: PngShape = {
      ...RGBA,
      colourType: 3,
      sampleAt: (x) => [x],
      palette: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      transparency: [9, 0],
    }
    expect([...pixelsOf(checked(buildPng(indexed))).pixels.subarray(0, 12)]).toEqual([1, 2, 3, 9, 4, 5, 6, 0, 7, 8, 9, 255])
  })

  it('can have the data: prefix', () => {
    const png = buildPng({ ...RGBA, sampleAt: (x, y) => [x, y, 3, 44] })
    expect(checkSignatureImage(`data:image/png;base64,${png.toString('base64')}`)).toEqual(checked(png))
  })

  it('loses every chunk that is not pixel data, without inflating it', () => {
    const bomb = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(30_000_000))]))
    const out = checked(pngOf(pngHeader(RGBA), bomb, pngChunk('tEXt', Buffer.from('a\0b')), pngChunk('IDAT', RGBA_LINES), END))
    expect(out.includes('zTXt') || out.includes('tEXt')).toBe(false)
    expect(out.length).toBeLessThan(100)
  })

  it('can have 2000 x 1000 pixels', () => {
    const png = pngOf(
      pngHeader({ ...RGBA, width: 2000, height: 1000, bitDepth: 1, colourType: 0 }),
      pngChunk('IDAT', deflateSync(Buffer.alloc(1000 * 251))),
      END,
    )
    expect(pixelsOf(checked(png))).toMatchObject({ width: 2000, height: 1000 })
  })
})

function rgba({ colourType, bitDepth, palette }: PngShape, [a, b, c, d]: number[]): number[] {
  const grey = Math.floor((a! * 255) / (2 ** bitDepth - 1))
  if (colourType === 0) return [grey, grey, grey, 255]
  if (colourType === 2) return [a!, b!, c!, 255]
  if (colourType === 3) return [...palette!.slice(a! * 3, a! * 3 + 3), 255]
  return colourType === 4 ? [a!, a!, a!, b!] : [a!, b!, c!, d!]
}

// requirements: decisions/links/signatureImage
describe('a signature image is refused', () => {
  const good = buildPng({ ...RGBA, sampleAt: (x, y) => [x, y, 3, 4] })
  const indexed = { ...RGBA, colourType: 3 } as const
  const line = pngChunk('IDAT', RGBA_LINES)
  const flipped = Buffer.from(good)
  flipped[flipped.length - 20]! ^= 1

  it.each<[string, string | Buffer, RegExp]>([
    ['when it is not base64', 'a b!', /base64/],
    [
      'when it is base64 with line breaks',
      `${good.toString('base64').slice(0, 40)}\n${good.toString('base64').slice(40)}`,
      /base64/,
    ],
    ['when it is base64url', Buffer.from('ffefff', 'hex').toString('base64url'), /base64/],
    ['when it has another data head', `data:image/jpeg;base64,${good.toString('base64')}`, /base64/],
    ['when it is empty', '', /not a PNG/],
    ['when it is another kind of file', Buffer.from('GIF89a, more or less'), /not a PNG/],
    ['when it is larger than 512 KiB', Buffer.concat([good, Buffer.alloc(512 * 1024)]), /512 KiB/],
    ['when it is one byte larger than 512 KiB', Buffer.alloc(512 * 1024 + 1), /512 KiB/],
    ['when it is too wide', pngOf(pngHeader({ ...RGBA, width: 2001 }), line, END), /2000 x 1000/],
    ['when it is too high', pngOf(pngHeader({ ...RGBA, height: 1001 }), line, END), /2000 x 1000/],
    ['when it has no pixels', pngOf(pngHeader({ ...RGBA, width: 0 }), line, END), /2000 x 1000/],
    [
      'when it claims four billion pixels a side',
      pngOf(pngHeader({ ...RGBA, width: 2 ** 32 - 1, height: 2 ** 32 - 1 }), line, END),
      /2000 x 1000/,
    ],
    ['when it has 16 bits a channel', pngOf(pngHeader({ ...RGBA, bitDepth: 16 }), line, END), /8 bits/],
    ['when depth and colour type do not fit', pngOf(pngHeader({ ...RGBA, bitDepth: 4 }), line, END), /bit depth/],
    ['when the colour type is unknown', pngOf(pngHeader({ ...RGBA, colourType: 5 }), line, END), /does not know/],
    ['when it is animated', pngOf(pngHeader(RGBA), pngChunk('acTL', Buffer.alloc(8)), line, END), /animated/],
    ['when a checksum is wrong', flipped, /checksum/],
    ['when it is truncated', good.subarray(0, -4), /cut off/],
    ['when data follows its end', Buffer.concat([good, Buffer.from('PK')]), /follows the end/],
    ['when another file is hidden after its end', Buffer.concat([good, good]), /follows the end/],
    ['when a chunk has an impossible name', pngOf(pngHeader(RGBA), pngChunk('a\0bc', Buffer.alloc(1)), line, END), /impossible/],
    ['when it needs an unknown chunk', pngOf(pngHeader(RGBA), pngChunk('ZZZZ', Buffer.alloc(1)), line, END), /does not know/],
    ['when the header comes twice', pngOf(pngHeader(RGBA), pngHeader(RGBA), line, END), /repeats/],
    ['when it has no data', pngOf(pngHeader(RGBA), END), /no image data/],
    [
      'when its data is interrupted',
      pngOf(pngHeader(RGBA), line, pngChunk('tEXt', Buffer.from('a\0')), line, END),
      /interrupted/,
    ],
    [
      'when its data inflates to more than its size',
      pngOf(pngHeader(RGBA), pngChunk('IDAT', deflateSync(Buffer.alloc(27))), END),
      /larger/,
    ],
    ['when its data is a bomb', pngOf(pngHeader(RGBA), pngChunk('IDAT', deflateSync(Buffer.alloc(100_000_000))), END), /larger/],
    ['when its data inflates to less', pngOf(pngHeader(RGBA), pngChunk('IDAT', deflateSync(Buffer.alloc(25))), END), /shorter/],
    ['when its data is not zlib', pngOf(pngHeader(RGBA), pngChunk('IDAT', Buffer.from('hello')), END), /damaged/],
    ['when a filter is unknown', pngOf(pngHeader(RGBA), pngChunk('IDAT', deflateSync(Buffer.alloc(26, 5))), END), /filter/],
    ['when the palette is missing', pngOf(pngHeader(indexed), line, END), /palette/],
    ['when the palette is torn', pngOf(pngHeader(indexed), pngChunk('PLTE', Buffer.alloc(4)), line, END), /palette/],
    [
      'when the palette is too long',
      pngOf(pngHeader({ ...indexed, bitDepth: 1 }), pngChunk('PLTE', Buffer.alloc(9)), line, END),
      /palette/,
    ],
    ['when the palette comes late', pngOf(pngHeader(indexed), line, pngChunk('PLTE', Buffer.alloc(3)), END), /palette/],
    [
      'when grey has a palette',
      pngOf(pngHeader({ ...RGBA, colourType: 4 }), pngChunk('PLTE', Buffer.alloc(3)), line, END),
      /palette/,
    ],
    [
      'when a pixel points past the palette',
      buildPng({ ...indexed, sampleAt: () => [1], palette: [0, 0, 0] }),
      /past its palette/,
    ],
    ['when it is all transparent', buildPng({ ...RGBA, sampleAt: () => [0, 0, 0, 0] }), /empty/],
    ['when it is all white', buildPng({ ...RGBA, colourType: 2, sampleAt: () => [255, 250, 255] }), /empty/],
    ['when it is too pale to see', buildPng({ ...RGBA, sampleAt: () => [0, 0, 0, 10] }), /empty/],
    ['when transparency does not fit', pngOf(pngHeader(RGBA), pngChunk('tRNS', Buffer.alloc(2)), line, END), /transparency/],
  ])('%s', (_, image, sentence) => {
    const text = typeof image === 'string' ? image : image.toString('base64')
    expect(() => checkSignatureImage(text)).toThrowError(
      expect.objectContaining({ code: 'SIGNATURE_IMAGE_INVALID', message: expect.stringMatching(sentence) }),
    )
  })
})
