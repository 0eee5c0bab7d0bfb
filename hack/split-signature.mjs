// Extracts the signature and the signed bytes from a sealed PDF for openssl: node hack/split-signature.mjs FILE.pdf SIGNATURE.der BYTES.bin
import { readFileSync, writeFileSync } from 'node:fs'

const [, , file, signatureFile, bytesFile] = process.argv
if (!bytesFile) {
  console.error('usage: node hack/split-signature.mjs FILE.pdf SIGNATURE.der BYTES.bin')
  process.exit(2)
}
const pdf = readFileSync(file)
const text = pdf.toString('latin1')
const ranges = [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)]
const last = ranges.at(-1)
if (!last) {
  console.error(`${file} contains no signature.`)
  process.exit(1)
}
const [start, length, secondStart, secondLength] = last.slice(1).map(Number)
const padded = Buffer.from(text.slice(start + length + 1, secondStart - 1), 'hex')
// DER contains its own length; the rest is padding.
const lengthBytes = padded[1] & 0x7f
const derLength = padded[1] < 0x80 ? 2 + padded[1] : 2 + lengthBytes + padded.readUIntBE(2, lengthBytes)
writeFileSync(signatureFile, padded.subarray(0, derLength))
writeFileSync(
  bytesFile,
  Buffer.concat([pdf.subarray(start, start + length), pdf.subarray(secondStart, secondStart + secondLength)]),
)
