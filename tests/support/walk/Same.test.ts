import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { difference } from "./Same.ts"
import type { Reply } from "./Wire.ts"

const reply = (text: string, headers: Record<string, string> = {}, status = 404): Reply => ({
  status,
  headers,
  text,
  json: undefined
})

describe("two answers", () => {
  it.each<readonly [string, Reply, Reply]>([
    ["their ids", reply(`{"id":12,"link":"/things/12"}`), reply(`{"id":2000,"link":"/things/2000"}`)],
    ["their times", reply(`{"at":"2026-11-21T10:00:00.123Z"}`), reply(`{"at":"2026-11-21T10:00:01Z"}`)],
    ["times that hold an id", reply(`{"at":"2026-12-21T10:12:00.123Z"}`), reply(`{"at":"2026-11-21T10:00:01Z"}`)],
    ["their traces", reply(`{"trace_id":"a"}`), reply(`{"trace_id": "b"}`.replace(" ", ""))],
    [
      "date and length",
      reply("", { date: "one", "content-length": "1" }),
      reply("", { date: "two", "content-length": "2" })
    ]
  ])("are the same but for %s", (_, one, other) =>
    expect(difference(one, other, [{ id: 12 }, { id: 2000 }])).toBeUndefined()
  )

  it.each<readonly [string, Reply, Reply]>([
    ["a status", reply("x"), reply("x", {}, 403)],
    ["a header", reply("x", { etag: "1" }), reply("x")],
    ["a header's value", reply("x", { etag: "1" }), reply("x", { etag: "2" })],
    ["a word", reply("There is no such thing."), reply("There is no such thing!")],
    ["a number that only begins like the id", reply(`{"count":123}`), reply(`{"count":124}`)],
    ["a status that is an id", reply(`{"status":12}`), reply(`{"status":2000}`)]
  ])("are told apart by %s", (_, one, other) =>
    expect(difference(one, other, [{ id: 12 }, { id: 2000 }])).toBeDefined()
  )
})
