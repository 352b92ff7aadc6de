import { describe, expect, it } from "vitest"
import { isFilterable, type ListState } from "../../../console/parts/Filterable.ts"

const nothing: ListState = { listed: 0, loading: false, filtered: false, before: false, hides: false }

describe("filters above a list", () => {
  it("are shown when something is there, or a filter is set", () => {
    expect(isFilterable(nothing)).toBe(false)
    expect(isFilterable({ ...nothing, listed: 1 })).toBe(true)
    expect(isFilterable({ ...nothing, filtered: true })).toBe(true)
    expect(isFilterable({ ...nothing, hides: true })).toBe(true)
  })

  it("do not appear before the first answer", () => {
    expect(isFilterable({ ...nothing, listed: undefined, loading: true })).toBe(false)
    expect(isFilterable({ ...nothing, listed: undefined, loading: true, filtered: true })).toBe(true)
  })

  it("stay until the answer to an emptied filter is there", () => {
    expect(isFilterable({ ...nothing, before: true, loading: true })).toBe(true)
    expect(isFilterable({ ...nothing, before: true })).toBe(false)
  })
})
