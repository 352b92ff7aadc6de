import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { connect } from "node:net"
import { encode, maxRequestBytes, Netstrings } from "#protocols/postfix-socketmap/Netstring.ts"
import { encode as encodeReply, maxReplyBytes, notFound, type Reply } from "#protocols/postfix-socketmap/Reply.ts"
import { serve } from "#protocols/postfix-socketmap/SocketmapServer.ts"

/** Writes the pieces one by one and reads until the answer ends with `end` or the server closes the connection. */
const exchange = (port: number, pieces: ReadonlyArray<string>, end: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: "127.0.0.1", port })
        let heard = ""
        socket.on("error", () => undefined)
        socket.once("close", () => resolve(heard))
        socket.on("data", (chunk: Buffer) => {
          heard += chunk.toString()
          if (heard.endsWith(end)) socket.destroy()
        })
        socket.once("connect", async () => {
          for (const piece of pieces) await new Promise<void>((written) => socket.write(piece, () => written()))
        })
      })
  )

const place = { host: "127.0.0.1", port: 0 }
const echo = (map: string, key: string): Effect.Effect<Reply> =>
  Effect.succeed(key === "" ? notFound : { _tag: "Found", data: `${map}/${key}` })

describe("netstrings", () => {
  it("are the same however the bytes are split", () => {
    const text = Buffer.from(encode("domains a.test") + encode("ü") + encode(""))
    for (let size = 1; size <= text.length; size++) {
      const netstrings = new Netstrings()
      const heard: Array<string> = []
      for (let at = 0; at < text.length; at += size)
        heard.push(...netstrings.push(text.subarray(at, at + size)).requests)
      expect(heard).toEqual(["domains a.test", "ü", ""])
    }
  })

  it.each(["x", "01:a,", "-1:a,", "1:ab", `${maxRequestBytes + 1}:`, "123456", "9".repeat(300)])(
    "refuse %s",
    (text) => {
      expect(new Netstrings().push(Buffer.from(text)).fault).toBeTypeOf("string")
    }
  )
})

describe("a socketmap server", () => {
  it.live("answers requests in their order, also in pieces", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ place, handler: echo })
      const text = encode("domains a.test") + encode("aliases b@a.test") + encode("domains ")
      const answers = encode("OK domains/a.test") + encode("OK aliases/b@a.test") + encode("NOTFOUND ")
      expect(yield* exchange(port, [text.slice(0, 5), text.slice(5, 30), text.slice(30)], "NOTFOUND ,")).toBe(answers)
    })
  )

  it.live("answers a temporary error for a handler that fails, dies or never ends", () =>
    Effect.gen(function* () {
      const handler = (_map: string, key: string): Effect.Effect<Reply, unknown> =>
        key === "fails" ? Effect.fail("x") : key === "dies" ? Effect.die(new Error("x")) : Effect.never
      const { port } = yield* serve({ place, handler, answerTimeout: Duration.millis(50) })
      const failed = encode("TEMP the look-up failed")
      const text = ["fails", "dies", "hangs"].map((key) => encode(`m ${key}`)).join("")
      expect(yield* exchange(port, [text], failed.repeat(3))).toBe(failed.repeat(3))
    })
  )

  it.live("closes a connection that breaks the protocol", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ place, handler: echo })
      expect(yield* exchange(port, ["GET / HTTP/1.1\r\n\r\n"], "never")).toBe("")
    })
  )

  it("answers a temporary error instead of an answer that Postfix would refuse", () => {
    expect(encodeReply({ _tag: "Found", data: "x".repeat(maxReplyBytes) })).toBe(encode("TEMP the answer is too long"))
  })
})
