// `npm run test:long`: `npm test` with twenty times the generated cases, whole lists of hostile input, and another seed each time, which it prints.
import { randomInt } from 'node:crypto'

process.env['FUZZ_FACTOR'] ??= '20'
process.env['FUZZ_SEED'] ??= String(randomInt(2 ** 31))
console.log(`FUZZ_FACTOR=${process.env['FUZZ_FACTOR']} FUZZ_SEED=${process.env['FUZZ_SEED']}`)
await import('./test.mjs')
