// Work in a closed loop: so many at a time, each the next when it has finished one.

export async function runAll(options: { count: number; atOnce: number; work: (index: number) => Promise<void> }): Promise<void> {
  const { count, atOnce, work } = options
  let next = 0
  const runner = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
}
