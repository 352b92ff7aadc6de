import { describe, expect, it } from "vitest"
import { decide, initial, type Observation, type State } from "#daemons/watchdog/services/RestartDecision.ts"

const minute = 60_000
const options = { after: minute, patience: 2 * minute, budget: 3, window: 60 * minute }

const look = (at: number, condition: Observation["condition"], more: Partial<Observation> = {}): Observation => ({
  at: at * minute,
  condition,
  engineRestarts: null,
  waitsFor: [],
  ...more
})

/** Actions at each minute of a life, with the state carried on. */
const live = (observations: ReadonlyArray<Observation>, from: State = initial) => {
  let state = from
  return observations.map((seen) => {
    const decision = decide(state, seen, options)
    state = decision.state
    return decision.action
  })
}

const minutes = (count: number, condition: Observation["condition"], from = 0) =>
  Array.from({ length: count }, (_, at) => look(from + at, condition))

describe("decide", () => {
  it("does nothing while the service is well, and restarts after it failed for long enough", () => {
    expect(live([look(0, "well"), look(1, "ill"), look(2, "ill")])).toEqual(["none", "none", "restart"])
    expect(live([look(0, "ill"), look(1, "well"), look(2, "ill")])).toEqual(["none", "none", "none"])
  })

  it("awaits health after a restart before it restarts again", () => {
    expect(live(minutes(4, "ill"))).toEqual(["none", "restart", "none", "restart"])
  })

  it("stops after the budget, calls a person once, and restarts again only after the service was well", () => {
    const actions = live([...minutes(40, "ill"), look(40, "well"), look(41, "well")])
    expect(actions.filter((action) => action !== "none")).toEqual([
      "restart",
      "restart",
      "restart",
      "give_up",
      "recovered"
    ])
  })

  it("counts restarts of the window only, also across times of health", () => {
    // Well for a minute after each restart: a service that flaps uses the budget all the same.
    const flapping = [0, 5, 10, 15].flatMap((at) => [look(at, "ill"), look(at + 1, "ill"), look(at + 2, "well")])
    expect(live(flapping).filter((action) => action !== "none")).toEqual([
      "restart",
      "restart",
      "restart",
      "give_up",
      "recovered"
    ])
    const rare = [0, 61, 122, 183].flatMap((at) => [look(at, "ill"), look(at + 1, "ill"), look(at + 2, "well")])
    expect(live(rare).filter((action) => action !== "none")).toEqual(["restart", "restart", "restart", "restart"])
  })

  it("waits for dependencies, and restarts when they are well", () => {
    const waiting = { waitsFor: ["db"] }
    expect(live([look(0, "ill", waiting), look(9, "ill", waiting), look(10, "ill")])).toEqual([
      "none",
      "none",
      "restart"
    ])
  })

  it("does not act on a source that does not answer, nor forget what it saw before", () => {
    expect(live([look(0, "ill"), look(1, "unknown"), look(2, "ill")])).toEqual(["none", "none", "restart"])
    expect(live(minutes(30, "unknown")).every((action) => action === "none")).toBe(true)
  })

  it("lets a service start, and restarts one that never becomes healthy", () => {
    expect(live([look(0, "pending"), look(1, "pending"), look(2, "pending")])).toEqual(["none", "none", "restart"])
  })

  it("takes a restart loop of the engine for a failure, although each look finds the service running", () => {
    const looping = [0, 1, 2].map((at) => look(at, "well", { engineRestarts: at * 5 }))
    expect(live(looping)).toEqual(["none", "none", "restart"])
    const once = [
      look(0, "well", { engineRestarts: 0 }),
      look(1, "well", { engineRestarts: 1 }),
      look(2, "well", { engineRestarts: 1 })
    ]
    expect(live(once)).toEqual(["none", "none", "none"])
  })

  it("restarts at once when monitoring has already waited, within the same budget", () => {
    expect(live([look(0, "ill", { urgent: true })])).toEqual(["restart"])
    const spent = { ...initial, restarts: [1, 2, 3].map((at) => at * minute) }
    expect(live([look(10, "ill", { urgent: true })], spent)).toEqual(["give_up"])
    // A report of monitoring about a service that is well changes nothing.
    expect(live([look(0, "well", { urgent: true })])).toEqual(["none"])
  })

  it("survives a clock that jumps back an hour", () => {
    const before: State = { ...initial, failingSince: 70 * minute, restarts: [70 * minute] }
    const { action, state } = decide(before, look(10, "ill"), options)
    expect(action).toBe("none")
    expect(decide(state, look(11, "ill"), options).action).toBe("restart")
  })
})
