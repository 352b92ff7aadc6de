/** Rounds in which servers take turns, so that load on a shared machine affects all of them. */
import { median } from "../Figure.ts"
import { note } from "./Stage.ts"

/** `rate`: answers per second. `cost`: processor time of the server per answer, in microseconds. */
export interface Rate {
  readonly rate: number
  readonly cost: number
}

export interface Seen<Name extends string> {
  /** Medians over the rounds. */
  readonly rate: (name: Name) => number
  readonly cost: (name: Name) => number
  /** Median of the ratios within each round. */
  readonly ratio: (name: Name, floor: Name) => number
}

export interface Rounds {
  readonly rounds: number
  /** Rounds before the measured ones, not counted. Reason: the figures are for optimised code. */
  readonly warmingUp: number
}

export type Steps<Name extends string> = Readonly<Record<Name, () => Promise<Rate>>>

/**
 * Runs the steps of each round in this order, in alternate rounds reversed, so that a slowing machine does not favour
 * one server.
 */
export const inTurns = async <Name extends string>(
  { rounds, warmingUp }: Rounds,
  steps: () => Steps<Name> | Promise<Steps<Name>>
): Promise<Seen<Name>> => {
  const seen = new Map<string, Array<Rate>>()
  for (let round = 1 - warmingUp; round <= rounds; round++) {
    const said: Array<string> = []
    const order = Object.entries<() => Promise<Rate>>(await steps())
    for (const [name, step] of round % 2 === 0 ? order : order.toReversed()) {
      const rate = await step()
      if (round > 0) seen.set(name, [...(seen.get(name) ?? []), rate])
      said.push(`${name} ${rate.rate.toFixed(0)}/s ${rate.cost.toFixed(0)} µs`)
    }
    note(`round ${round}: ${said.join(", ")}${round > 0 ? "" : " (warming up)"}`)
  }
  const of = (name: Name) => seen.get(name)!
  return {
    rate: (name) => median(of(name).map(({ rate }) => rate)),
    cost: (name) => median(of(name).map(({ cost }) => cost)),
    ratio: (name, floor) => median(of(name).map(({ rate }, round) => rate / of(floor)[round]!.rate))
  }
}

/** Medians of two latencies that are measured alternately. */
export const latencies = async (
  rounds: number,
  measure: { readonly bare: () => Promise<number>; readonly ours: () => Promise<number> }
) => {
  const found = { bare: [] as Array<number>, ours: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    found.bare.push(await measure.bare())
    found.ours.push(await measure.ours())
  }
  return { bare: median(found.bare), ours: median(found.ours) }
}
