import { it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import { kick, maxAnswerBytes, read } from "#protocols/doveadm/DoveadmApi.ts"
import { freePort } from "#support/peers/Loopback.ts"

it.each([
  ['[["doveadmResponse",[{"count":2}],"kick"]]', undefined],
  ['[["error",{"type":"exitCode","exitCode":68},"kick"]]', undefined],
  ['[["error",{"type":"exitCode","exitCode":75},"kick"]]', { _tag: "Command", type: "exitCode", exitCode: 75 }],
  ['[["error",{"type":"unknownMethod"},"kick"]]', { _tag: "Command", type: "unknownMethod" }],
  ['[["doveadmResponse",[],"another"]]', { _tag: "BadAnswer" }],
  ['[["doveadmResponse"]]', { _tag: "BadAnswer" }],
  ["[]", { _tag: "BadAnswer" }],
  ["{", { _tag: "BadAnswer" }]
])("reads %s", (text, reason) => expect(read(text)).toEqual(reason))

const answering = (answer: (response: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
            const server = createServer((_, response) => answer(response))
            server.listen(0, "127.0.0.1", () =>
              resolve({
                port: (server.address() as AddressInfo).port,
                close: () => {
                  server.close()
                  server.closeAllConnections()
                }
              })
            )
          })
      ),
      ({ close }) => Effect.sync(close)
    ),
    ({ port }) => ({ url: `http://127.0.0.1:${port}`, key: Redacted.make("k") })
  )

const reasonOf = (server: { readonly url: string; readonly key: Redacted.Redacted }, user = "a@b.test") =>
  Effect.map(Effect.result(kick(server, user)), (result) =>
    Result.isFailure(result) ? result.failure.reason : undefined
  )

it.live("says what is wrong with a server, and follows it nowhere", () =>
  Effect.scoped(
    Effect.gen(function* () {
      expect(yield* reasonOf({ url: `http://127.0.0.1:${yield* freePort}`, key: Redacted.make("k") })).toEqual({
        _tag: "Unreachable",
        code: "ECONNREFUSED"
      })
      expect(yield* reasonOf(yield* answering((response) => response.writeHead(403).end()))).toEqual({
        _tag: "Refused",
        status: 403
      })
      expect(
        yield* reasonOf(
          yield* answering((response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end())
        )
      ).toEqual({ _tag: "Refused", status: 307 })
      expect(yield* reasonOf(yield* answering((response) => response.end(" ".repeat(maxAnswerBytes + 1))))).toEqual({
        _tag: "BadAnswer"
      })
    })
  )
)

it.live("asks for nobody whose name would mean others", () =>
  Effect.scoped(
    Effect.gen(function* () {
      let asked = 0
      const server = yield* answering((response) => (asked++, response.end("[]")))
      expect(yield* reasonOf(server, "*")).toBeDefined()
      expect(yield* reasonOf(server, "a?@b.test")).toBeDefined()
      expect(asked).toBe(0)
    })
  )
)
