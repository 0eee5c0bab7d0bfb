// A thread pool module that loads slowly, allocates as many buffers as the test wants, and counts its loads in shared memory.
import { getEnvironmentData } from 'node:worker_threads'

const LOADING_MILLISECONDS = 300

const buffers = Buffer.alloc(Number(getEnvironmentData('bufferBytes') ?? 0), 1)
const end = performance.now() + LOADING_MILLISECONDS
while (performance.now() < end && buffers.length >= 0);
const loaded = getEnvironmentData('loaded')
if (!(loaded instanceof SharedArrayBuffer)) throw new Error('The test shares no memory.')
Atomics.add(new Int32Array(loaded), 0, 1)

export function run(): void {}
