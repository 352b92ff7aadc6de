import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { Duration, Effect, Logger, Redacted, Result, Tracer } from "effect"
import { afterEach, assert, beforeEach, describe, expect, it } from "vitest"
import { type BotApiOptions, make } from "#protocols/bot-api/BotApi.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"

let double: BotApiDouble
let base: string
beforeEach(async () => {
  double = new BotApiDouble({ chats: ["1", "2"], blocked: ["2"], migrated: { "-5": "-1005" } })
  base = await double.start()
})
afterEach(() => double.stop())

const client = (options: Partial<BotApiOptions> = {}) =>
  make({ baseUrl: base, token: Redacted.make(double.token), timeout: Duration.seconds(8), ...options })

const failure = async (chatId: string, text = "x", options: Partial<BotApiOptions> = {}) => {
  const result = await Effect.runPromise(Effect.result(client(options).sendMessage({ chatId, text })))
  assert(Result.isFailure(result), "was sent")
  return result.failure
}

/** A server with one fixed answer. */
const serve = async (handler: http.RequestListener) => {
  const server = http.createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => (server.closeAllConnections(), server.close())
  }
}

describe("BotApi", () => {
  it("says who it is, and sends", async () => {
    assert.strictEqual((await Effect.runPromise(client().getMe)).username, "double_bot")
    const message = await Effect.runPromise(
      client({ baseUrl: `${base}/` }).sendMessage({ chatId: "1", text: "Gas <b>&\n" })
    )
    assert.deepStrictEqual(
      double.messages.map(({ chatId, messageId, text }) => [chatId, messageId, text]),
      [["1", message.message_id, "Gas <b>&\n"]]
    )
  })

  it.each([
    ["3", "x", "BadRequest", false, "yes"],
    ["2", "x", "Forbidden", false, "yes"],
    ["1", " ", "BadRequest", false, "yes"],
    ["1", "x".repeat(4_097), "BadRequest", false, "yes"],
    ["-5", "x", "ChatMigrated", false, "yes"]
  ])("chat %s: %s", async (chatId, text, tag, retryable, reached) => {
    const error = await failure(chatId, text)
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.reached], [tag, retryable, reached])
  })

  it.each([
    ["500", "ServerError", "yes"],
    ["html502", "ServerError", "yes"],
    ["hang", "TimedOut", "perhaps"],
    ["cut-before", "ConnectionLost", "perhaps"],
    ["cut-after", "ConnectionLost", "perhaps"]
  ] as const)("%s: %s", async (kind, tag, reached) => {
    double.failNext(kind)
    const error = await failure("1", "x", kind === "hang" ? { timeout: Duration.millis(300) } : {})
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.reached], [tag, true, reached])
  })

  it("reads the pause of a 429 in milliseconds", async () => {
    const busy = new BotApiDouble({ perSecond: 0, retryAfter: 12 })
    const error = await failure("1", "x", { baseUrl: await busy.start() })
    await busy.stop()
    assert.deepStrictEqual(error.reason, { _tag: "TooManyRequests", retryAfter: 12_000 })
  })

  it("refuses redirects, foreign and endless answers", async () => {
    let stolen = 0
    const thief = await serve((_, response) => (stolen++, response.end()))
    const notOurs = "not an answer of the bot API"
    const answers: ReadonlyArray<readonly [why: string, http.RequestListener]> = [
      [notOurs, (_, response) => response.writeHead(307, { location: thief.url }).end()],
      [notOurs, (_, response) => response.end("<html>Welcome</html>")],
      [notOurs, (_, response) => response.end('{"ok":true,"result":{}}')],
      ["too long", (_, response) => response.end("x".repeat(10_000_000))],
      [notOurs, (_, response) => response.writeHead(403).end("denied by a proxy")]
    ]
    for (const [why, answer] of answers) {
      const server = await serve(answer)
      const { reason } = await failure("1", "x", { baseUrl: server.url })
      assert.deepStrictEqual([reason._tag, "why" in reason && reason.why], ["InvalidResponse", why])
      server.close()
    }
    thief.close()
    assert.strictEqual(stolen, 0)
  })

  it("keeps the token out of every error, log line and span", async () => {
    const secret = "99999:hunter2-SECRET"
    const told: Array<string> = []
    const logger = Logger.make((entry) => told.push(inspect(entry, { depth: 8 })))
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        const end = span.end.bind(span)
        span.end = (time, exit) => (
          told.push(inspect([span.name, span.attributes, span.events, exit], { depth: 10 })),
          end(time, exit)
        )
        return span
      }
    })
    const hung = new BotApiDouble({ token: secret })
    const hungBase = await hung.start()
    const closed = await serve(() => {})
    closed.close()
    const echo = await serve((request, response) => response.writeHead(302, { location: request.url ?? "" }).end())
    const kinds = ["500", "html502", "hang", "cut-before", "cut-after"] as const
    hung.failNext(...kinds)
    const bases = [
      base,
      closed.url,
      echo.url,
      "http://no-such-host.invalid",
      "not a url",
      "http://user:hunter2@127.0.0.1",
      "https://" + hungBase.slice(7),
      ...kinds.map(() => hungBase)
    ]
    for (const baseUrl of bases) {
      const sent = make({ baseUrl, token: Redacted.make(secret), timeout: Duration.millis(300) }).sendMessage({
        chatId: "1",
        text: "x"
      })
      const exit = await Effect.runPromise(
        Effect.exit(sent.pipe(Effect.tapCause((cause) => Effect.logError("failed", cause)))).pipe(
          Effect.provide(Logger.layer([logger])),
          Effect.withTracer(tracer)
        )
      )
      assert.strictEqual(exit._tag, "Failure", baseUrl)
      told.push(inspect(exit, { depth: 10, showHidden: true }), JSON.stringify(exit))
    }
    await hung.stop()
    echo.close()
    assert.isAbove(told.length, bases.length * 3)
    expect(told.join("\n")).not.toMatch(/hunter2|99999/)
  })
})
