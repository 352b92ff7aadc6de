import { describe, expect, it } from "vitest"
import { services } from "#protocols/ebics/OrderTypes.ts"
import { hasOrders, plannedOrders, type PlanInput } from "#daemons/bank-fetcher/fetching/OrderPlan.ts"

const base: PlanInput = { reason: "daily", version: "H005", requested: null, chosen: null, permitted: null }
const plan = (change: Partial<PlanInput>) =>
  plannedOrders({ ...base, ...change }).map((group) => group.map(({ order }) => order))
const listed = (order_types: ReadonlyArray<string>, listedServices: ReadonlyArray<object> = []) =>
  ({ order_types, services: listedServices, available: null, accounts: [], fetched_at: "" }) as never
const german = (order: keyof typeof services) => ({ ...services[order] })

describe("the order types of a fetch", () => {
  it("prefer camt to MT", () => {
    expect(plan({})).toEqual([["C53", "STA"]])
    expect(plan({ reason: "intraday" })).toEqual([["C52", "VMK"]])
    expect(plan({ reason: "manual" })).toEqual([
      ["C53", "STA"],
      ["C52", "VMK"]
    ])
  })

  it("are those that the bank lists", () => {
    const h004 = { version: "H004" } as const
    expect(plan({ ...h004, permitted: listed(["STA", "HTD"]) })).toEqual([["STA"]])
    expect(plan({ ...h004, reason: "intraday", permitted: listed(["STA", "HTD"]) })).toEqual([])
    expect(plan({ ...h004, permitted: listed(["STA", "C53", "VMK"]), reason: "manual" })).toEqual([
      ["C53", "STA"],
      ["VMK"]
    ])
    expect(plan({ permitted: listed(["BTD"], [german("C53"), german("VMK")]), reason: "manual" })).toEqual([
      ["C53"],
      ["VMK"]
    ])
  })

  it("are all when the list of the bank has no statements", () => {
    expect(plan({ version: "H004", permitted: listed(["HTD", "HAA"]) })).toEqual([["C53", "STA"]])
  })

  it("have the bank's own form of a service, in its newest version", () => {
    const ask = (listedServices: ReadonlyArray<object>) =>
      plannedOrders({ ...base, reason: "intraday", permitted: listed(["BTD"], listedServices) })[0]![0]!.service
    const bare = { name: "STM", message: "camt.052", scope: "DE" }
    expect(ask([bare])).toEqual(bare)
    expect(
      ask([
        { ...german("C52"), message_version: "02" },
        { ...german("C52"), message_version: "08" }
      ])
    ).toEqual({ ...german("C52"), messageVersion: "08" })
    expect(plannedOrders(base)[0]![0]!.service).toEqual(services.C53)
  })

  it("are those that the account chose, with their services", () => {
    const service = { name: "EOP", scope: "CH", container: "ZIP", message: "camt.053" } as const
    const chosen = [
      { order: "Z53", kind: "daily", service },
      { order: "C54", kind: "daily" }
    ] as const
    expect(plan({ chosen, permitted: listed(["STA"]) })).toEqual([["Z53"], ["C54"]])
    expect(plannedOrders({ ...base, chosen })[0]![0]!.service).toEqual(service)
    expect(plan({ chosen, reason: "intraday" })).toEqual([])
    expect([hasOrders("daily", chosen), hasOrders("intraday", chosen), hasOrders("intraday", null)]).toEqual([
      true,
      false,
      true
    ])
  })

  it("are those of the request", () => {
    const requested = ["VMK", "C53"]
    expect(plan({ reason: "manual", requested, permitted: listed(["STA"]) })).toEqual([["VMK"], ["C53"]])
  })
})
