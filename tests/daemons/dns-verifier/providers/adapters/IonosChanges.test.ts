import fc from "fast-check"
import { expect, it } from "vitest"
import type { Entry } from "#protocols/ionos-dns/Answer.ts"
import { between, type Change, changesOf, setOf } from "#daemons/dns-verifier/providers/adapters/IonosChanges.ts"
import { decide } from "#daemons/dns-verifier/providers/adapters/SetDecision.ts"
import type { RecordSet } from "#daemons/dns-verifier/record-sets/RecordSet.ts"

let nextId = 0
const entry = (content: string, ttl = 300, disabled = false): Entry => ({
  id: String(nextId++),
  name: "www.a.test",
  type: "A",
  content,
  ttl,
  prio: 0,
  disabled
})

/** What the interface makes of it. */
const made = (entries: ReadonlyArray<Entry>, change: Change): ReadonlyArray<Entry> => {
  switch (change._tag) {
    case "Update":
      return entries.map((one) => (one.id === change.id ? { ...one, ...change.change } : one))
    case "Create":
      return [
        ...entries,
        ...change.changes.map((one) => ({ ...entry(one.content, one.ttl ?? 3_600), disabled: one.disabled }))
      ]
    case "Remove":
      return entries.filter(({ id }) => id !== change.id)
  }
}

const contents = fc.uniqueArray(
  fc.integer({ min: 1, max: 8 }).map((at) => `192.0.2.${at}`),
  { maxLength: 5 }
)
const setOfContents = (list: ReadonlyArray<string>, ttl: number | null): RecordSet | null =>
  list.length === 0 ? null : { type: "A", name: "www", ttl, contents: list }

it("turns any records into any set, and continues from every point of interruption", () => {
  fc.assert(
    fc.property(
      contents,
      contents,
      contents,
      fc.constantFrom(null, 300, 900),
      fc.nat(12),
      (there, wanted, disabled, ttl, brokenAfter) => {
        const [before, after] = [setOfContents(there, 300), setOfContents(wanted, ttl)]
        let entries: ReadonlyArray<Entry> = [
          ...there.map((content) => entry(content)),
          ...disabled.filter((content) => !there.includes(content)).map((content) => entry(content, 300, true))
        ]
        for (const change of changesOf("A", entries, after).slice(0, brokenAfter)) entries = made(entries, change)
        const left = setOf("www", "A", entries)
        // What disabled records become is not foreseen: then only the values count that are foreseen.
        if (!disabled.some((content) => wanted.includes(content) && !there.includes(content))) {
          expect(decide(left, before, after, between("A", before, after))).not.toBe("conflict")
        }
        for (const change of changesOf("A", entries, setOfContents(wanted.toReversed(), ttl)))
          entries = made(entries, change)
        const set = setOf("www", "A", entries)
        expect(set?.contents.toSorted() ?? []).toEqual(wanted.toSorted())
        if (ttl !== null && set !== null)
          expect(entries.filter((one) => one.disabled === false).every((one) => one.ttl === ttl)).toBe(true)
        expect(changesOf("A", entries, after)).toEqual([])
        // Disabled records that are not wanted stay as they were.
        expect(
          entries
            .filter((one) => one.disabled === true)
            .map(({ content }) => content)
            .toSorted()
        ).toEqual(disabled.filter((content) => !there.includes(content) && !wanted.includes(content)).toSorted())
      }
    ),
    { numRuns: 500 }
  )
})

it("gives a new record the TTL of its set unless another is required", () => {
  const [one] = changesOf("A", [entry("192.0.2.1", 120)], setOfContents(["192.0.2.1", "192.0.2.2"], null))
  expect(one).toEqual({ _tag: "Create", changes: [{ content: "192.0.2.2", ttl: 120, disabled: false }] })
  expect(changesOf("A", [], setOfContents(["192.0.2.2"], null))).toEqual([
    { _tag: "Create", changes: [{ content: "192.0.2.2", disabled: false }] }
  ])
})

it("recognises only its own interrupted writes", () => {
  fc.assert(
    fc.property(contents, contents, contents, (there, wanted, foreign) => {
      const [before, after] = [setOfContents(there, 300), setOfContents(wanted, 300)]
      const states = between("A", before, after)
      for (const state of states) for (const content of state) expect([...there, ...wanted]).toContain(content)
      const alien = foreign.filter((content) => !there.includes(content) && !wanted.includes(content))
      if (alien.length > 0)
        expect(decide(setOfContents([...there, ...alien], 300), before, after, states)).toBe("conflict")
    }),
    { numRuns: 300 }
  )
})
