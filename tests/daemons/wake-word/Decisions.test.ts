import { describe, expect, it } from "vitest"
import { decide } from "#daemons/wake-word/listening/socket/Handshake.ts"
import * as Tickets from "#daemons/wake-word/listening/socket/Tickets.ts"
import { heldOutOf } from "#daemons/wake-word/training/Recordings.ts"
import { modelStem, normalWord } from "#daemons/wake-word/vocabulary/Exports.ts"

describe("tickets", () => {
  const keys = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const now = 1_000_000
  const ticket = Tickets.newTicket({ tenantId: 7, userId: 70 }, now)

  it("are valid for a minute with the key that signed them", () => {
    for (const key of keys) expect(Tickets.read(Tickets.write(ticket, key), keys, now)).toEqual(ticket)
    const text = Tickets.write(ticket, keys[0]!)
    expect(Tickets.read(text, keys, now + 59_999)).toEqual(ticket)
    expect(Tickets.read(text, keys, now + 60_000)).toBeUndefined()
    expect(Tickets.read(text, [keys[1]!], now)).toBeUndefined()
  })

  it("are invalid when anything is changed", () => {
    const text = Tickets.write(ticket, keys[0]!)
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`
      // The last character of base64 has bits that mean nothing, but the text is compared.
      expect(Tickets.read(changed, keys, now), String(at)).toBeUndefined()
    }
    for (const other of ["", ".", "a.b", `${text}.x`, `${text}${text}`, "x".repeat(10_000)])
      expect(Tickets.read(other, keys, now)).toBeUndefined()
  })
})

describe("the handshake", () => {
  const facts = {
    method: "GET",
    upgrade: "websocket",
    version: "13",
    key: "dGhlIHNhbXBsZSBub25jZQ==",
    origin: undefined,
    ticket: null
  }
  const closed = { open: false, origins: ["www.example.org", "*.example.net"] }

  it("needs a ticket, a listed page or the setting", () => {
    expect(decide({ ...facts, ticket: "t" }, closed)).toEqual({ kind: "ticket", ticket: "t" })
    expect(decide(facts, closed)).toMatchObject({ kind: "refused", refusal: 401 })
    expect(decide(facts, { open: true, origins: [] })).toEqual({ kind: "bare" })
    for (const [origin, kind] of [
      ["https://www.example.org", "bare"],
      ["http://www.example.org:8080", "bare"],
      ["https://a.b.example.net", "bare"],
      ["https://example.net", "refused"],
      ["https://www.example.org.evil.com", "refused"],
      ["null", "refused"],
      ["file://www.example.org", "refused"]
    ] as const)
      expect(decide({ ...facts, origin }, closed).kind, origin).toBe(kind)
  })

  it("refuses what is no WebSocket handshake", () => {
    for (const [change, refusal] of [
      [{ method: "POST" }, 405],
      [{ upgrade: "h2c" }, 400],
      [{ version: "8" }, 400],
      [{ key: "short" }, 400]
    ] as const)
      expect(decide({ ...facts, ticket: "t", ...change }, closed)).toMatchObject({ kind: "refused", refusal })
  })
})

describe("held-out speakers", () => {
  const recordings = Array.from({ length: 20 }, (_, id) => ({ id, speaker: `speaker ${id % 10}` }))

  it("are a fifth, whole, and the same for the same seed", () => {
    const chosen = heldOutOf(recordings, 3)
    expect(chosen.size).toBe(4)
    const speakers = new Set(recordings.filter(({ id }) => chosen.has(id)).map(({ speaker }) => speaker))
    expect(speakers.size).toBe(2)
    expect([...heldOutOf(recordings.toReversed(), 3)].toSorted()).toEqual([...chosen].toSorted())
  })

  it("are none when there is one speaker, also an unknown one", () => {
    expect(heldOutOf([{ id: 1, speaker: null }], 1).size).toBe(0)
    expect(heldOutOf([], 1).size).toBe(0)
    expect(
      heldOutOf(
        [
          { id: 1, speaker: null },
          { id: 2, speaker: "Anna" }
        ],
        1
      ).size
    ).toBe(1)
  })
})

it("names models by their word in ASCII", () => {
  expect(normalWord("HÄUSER")).toBe("häuser")
  expect(modelStem("Hallo Computer")).toBe("hallo-computer")
  expect(modelStem("Größe")).toBe("groesse")
  expect(modelStem("café")).toBe("cafe")
  expect(modelStem("水")).toBe("model")
})
