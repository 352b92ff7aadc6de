import { PassThrough } from "node:stream"
import type { IncomingMessage } from "node:http"
import { describe, expect, it } from "vitest"
import { readBody } from "#core/lane/Body.ts"

const read = async (limit: number, chunks: ReadonlyArray<string>, end = true) => {
  const stream = new PassThrough()
  const calls: Array<readonly [string, boolean]> = []
  readBody(stream as unknown as IncomingMessage, limit, (bytes, isWhole) => calls.push([bytes.toString(), isWhole]))
  for (const chunk of chunks) {
    stream.write(chunk)
    await new Promise(setImmediate)
  }
  if (end) stream.end()
  await new Promise(setImmediate)
  return calls
}

describe("readBody", () => {
  it("reads whole bodies of any number of chunks, up to the limit", async () => {
    expect(await read(4, [])).toEqual([["", true]])
    expect(await read(4, ["abcd"])).toEqual([["abcd", true]])
    expect(await read(4, ["a", "b", "cd"])).toEqual([["abcd", true]])
  })

  it("returns the beginning of a longer body at once, and only once", async () => {
    expect(await read(4, ["abcde"], false)).toEqual([["abcd", false]])
    expect(await read(4, ["ab", "cde", "fgh"])).toEqual([["abcd", false]])
  })

  it("does not call back when the client disconnects before the end", async () => {
    expect(await read(4, ["ab"], false)).toEqual([])
  })
})
