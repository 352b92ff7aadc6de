import { describe, expect, it } from "vitest"
import {
  decide,
  fileOf,
  hasFile,
  type HeldKey,
  isKeyFile,
  selectorMap
} from "#daemons/mail-admin/domains/dkim-files/KeyFiles.ts"

const key = (id: number, domain: string, selector: string, state: HeldKey["state"]): HeldKey => ({
  id,
  domain,
  selector,
  state
})
const rightOf = (keys: ReadonlyArray<HeldKey>) => new Map(keys.map((one) => [fileOf(one), one.id]))
const lines = (keys: ReadonlyArray<HeldKey>, right: ReadonlyMap<string, number>) =>
  selectorMap(keys, right)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))

describe("decide", () => {
  const keys = [
    key(1, "a.test", "mail", "retired"),
    key(2, "a.test", "mail2", "active"),
    key(3, "a.test", "mail3", "next")
  ]

  it("requires a file for every key, and changes nothing when all files are correct", () => {
    expect(decide(keys, [], new Map())).toEqual({ write: keys, remove: [] })
    expect(decide(keys, rightOf(keys).keys(), rightOf(keys))).toEqual({ write: [], remove: [] })
  })

  it("rewrites files with unknown content and files with a former key of the same name", () => {
    const right = new Map([
      ["a.test.mail.key", 1],
      ["a.test.mail2.key", 9]
    ])
    expect(decide(keys, ["a.test.mail.key", "a.test.mail2.key", "a.test.mail3.key"], right)).toEqual({
      write: [keys[1], keys[2]],
      remove: []
    })
  })

  it("removes key files without a key, and keeps foreign files", () => {
    const names = [
      "gone.test.mail.key",
      "a.test.mail4.key",
      "selectors.map",
      "other.test.dkim.key",
      "README",
      "a.test.mail2.key.orig",
      "a.test.mailx.key",
      "A.test.mail.key"
    ]
    expect(decide(keys, names, new Map()).remove).toEqual(["gone.test.mail.key", "a.test.mail4.key"])
  })

  it("skips a domain whose name is too long for a file name", () => {
    const long = key(4, `${"a.".repeat(122)}test`, "mail", "active")
    expect([hasFile(long), hasFile(key(4, `${"a.".repeat(120)}test`, "mail", "active"))]).toEqual([false, true])
    expect(decide([long], [], new Map()).write).toEqual([])
    expect(lines([long], rightOf([long]).set(fileOf(keys[0]!), 1))).toEqual([`${long.domain} mail`])
  })
})

describe("the map", () => {
  const keys = [
    key(1, "b.test", "mail", "active"),
    key(2, "a.test", "mail", "retired"),
    key(3, "a.test", "mail2", "active"),
    key(4, "a.test", "mail3", "next")
  ]

  it("names the active key of each domain", () => {
    expect(lines(keys, rightOf(keys))).toEqual(["a.test mail2", "b.test mail"])
    expect(lines(keys.toReversed(), rightOf(keys))).toEqual(["a.test mail2", "b.test mail"])
  })

  it("names only keys with a file: the previous key keeps signing, or the domain is absent", () => {
    const right = rightOf(keys)
    right.delete("a.test.mail2.key")
    right.delete("b.test.mail.key")
    expect(lines(keys, right)).toEqual(["a.test mail"])
    expect(lines(keys, new Map(right).set("a.test.mail.key", 77))).toEqual([])
  })
})

it("recognises key files by their names", () => {
  expect(["a.test.mail.key", "xn--bcher-kva.test.mail12.key"].map(isKeyFile)).toEqual([true, true])
  expect(["a.test.mail.key~", ".mail.key", "mail.key", "a.test.key", "../a.test.mail.key"].map(isKeyFile)).toEqual([
    false,
    false,
    false,
    false,
    false
  ])
})
