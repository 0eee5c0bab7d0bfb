// Bounded concurrency for programs that use a core each.

/** Applies `work` to every item, at most `width` at a time; results keep the items' order. Rejects with the first failure. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  async function drain(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, drain))
  return results
}
