// How much processor time each layer may take, in seconds (`support/processor-time.ts` measures it). `npm test` warns of a layer that takes more:
// make its files cheaper, or raise its budget here and in README.md and say why in the commit.
export const LAYER_BUDGETS: Record<string, number> = {
  unit: 300,
}
