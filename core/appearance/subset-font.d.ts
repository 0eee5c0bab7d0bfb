// subset-font has no types; this declares the part that seal-fonts.ts uses.
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: undefined,
    options: { keepAllGlyphs: true; targetFormat: 'truetype'; variationAxes: Record<string, number> },
  ): Promise<Buffer>
}
