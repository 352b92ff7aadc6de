import { describe, expect, it } from "@effect/vitest"
import type { IvrMenu } from "#daemons/sip-config/routing/Exports.ts"
import { entriesOf } from "#daemons/sip-config/switch/IvrEntries.ts"

const digitsOf = (entries: unknown) => entriesOf({ entries, tenant_id: 1 } as IvrMenu).map(({ digits }) => digits)
const entry = (digits: string) => ({ digits, destination_type: "extension", destination_id: 1 })

describe("entries of a menu", () => {
  it("have one to eight keys of a telephone", () => {
    const kept = ["1", "*", "#", "12345678"]
    expect(digitsOf([...kept, "", "123456789", "a", "1 2"].map(entry))).toEqual(kept)
  })

  it("are skipped when they are invalid", () => {
    expect(digitsOf([{ ...entry("1"), destination_type: "moon" }, null, { digits: "2" }, entry("3")])).toEqual(["3"])
    expect(digitsOf("none")).toEqual([])
  })
})
