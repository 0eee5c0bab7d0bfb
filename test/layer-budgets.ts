// How much processor time each layer may take, in seconds (`support/processor-time.ts` measures it). `npm test` warns of a layer that takes more: make its
// files cheaper, or raise its budget here and in README.md and say why in the commit.
export const LAYER_BUDGETS: Readonly<Record<string, number>> = {
  unit: 200,
  store: 30,
  api: 90,
  workers: 75,
  alone: 25,
  races: 45,
  storage: 30,
  nats: 30,
  kubernetes: 95,
  chart: 40,
  hack: 35,
  contract: 60,
  start: 120,
  kills: 110,
  split: 280,
  interop: 120,
  pages: 50,
  e2e: 40,
  installation: 40,
}

export interface FileCost {
  layer: string
  file: string
  /** Of processor time. */
  seconds: number
}

/** One line for each layer, in the order of the budgets, and for the costliest `most` files. */
export function describeCosts(costs: readonly FileCost[], budgets: Readonly<Record<string, number>>, most = 0): string[] {
  const layers = Map.groupBy(costs, ({ layer }) => layer)
  const order = [...new Set([...Object.keys(budgets), ...layers.keys()])].filter((layer) => layers.has(layer))
  const ofLayers = order.map((layer) => {
    const seconds = layers.get(layer)?.reduce((sum, each) => sum + each.seconds, 0) ?? 0
    return describeLayer(layer, seconds, budgets[layer])
  })
  const costliest = costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, most)
  return [...ofLayers, ...costliest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s ${file}`)]
}

function describeLayer(layer: string, seconds: number, budget: number | undefined): string {
  if (budget === undefined) return `${layer} ${Math.round(seconds)} s`
  const line = `${layer} ${Math.round(seconds)} s of ${budget} s`
  return seconds > budget ? `${line}: OVER BUDGET by ${Math.ceil(seconds - budget)} s` : line
}
