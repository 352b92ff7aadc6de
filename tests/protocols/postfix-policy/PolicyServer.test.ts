import { describe, expect, it } from "@effect/vitest"
import { Cause, Data, Deferred, Duration, Effect, Exit, Scope } from "effect"
import { existsSync, renameSync, statSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { type Action, dunno } from "#protocols/postfix-policy/Action.ts"
import { maxPipelined } from "#protocols/postfix-policy/Conversation.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { type PolicyLimits, serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { poll, scratchFolder } from "#support/peers/Loopback.ts"

class Odd extends Data.TaggedError("Odd") {}

/** Timeout of the server. Unit: milliseconds. */
const patience = 10_000
const place = { host: "127.0.0.1", port: 0 }
const ask = (sender: string) => `request=smtpd_access_policy\nprotocol_state=MAIL\nsender=${sender}\n\n`
const reject = (text: string): Action => ({ _tag: "Reject", text })
/** Answers with the sender. */
const echo = (request: PolicyRequest) => Effect.succeed(reject(request.sender ?? ""))

interface Client {
  readonly socket: Socket
  readonly heard: () => string
  readonly closed: () => boolean
}

const client = (to: { readonly port: number } | { readonly path: string }): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect("path" in to ? to : { ...to, host: "127.0.0.1" })
      let [text, closed] = ["", false]
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()))
      socket.on("error", () => undefined)
      socket.once("close", () => (closed = true))
      return { socket, heard: () => text, closed: () => closed }
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

const until = (what: () => boolean) =>
  Effect.promise(async () => expect(await poll(async () => (what() ? true : undefined), patience)).toBe(true))
const limited = (
  limits: Partial<PolicyLimits>,
  handler: (request: PolicyRequest) => Effect.Effect<Action, unknown> = echo
) => serve({ place, handler, limits })

describe("a policy server", () => {
  it.live("answers one request after the other, and several in one piece in their order", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ place, handler: echo })
      const { heard, socket } = yield* client({ port })
      socket.write(ask("a"))
      yield* until(() => heard() === "action=reject a\n\n")
      socket.write(ask("b").slice(0, 30))
      socket.write(ask("b").slice(30) + ask("c") + ask("d").slice(0, 10))
      yield* until(() => heard().endsWith("reject b\n\naction=reject c\n\n"))
      socket.write(ask("d").slice(10))
      yield* until(() => heard().endsWith("reject d\n\n"))
    })
  )

  const handlers: ReadonlyArray<readonly [string, () => Effect.Effect<Action, unknown>]> = [
    ["fails", () => Effect.fail(new Odd())],
    ["dies", () => Effect.die(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken")
      }
    ],
    ["interrupts itself", () => Effect.failCause(Cause.interrupt())],
    ["never ends", () => Effect.never],
    [
      "never ends and cannot be interrupted",
      () => Effect.uninterruptible(Effect.sleep("8 seconds")) as unknown as Effect.Effect<Action>
    ],
    ["says what cannot be said", () => Effect.succeed(reject("a\n\naction=ok"))]
  ]
  for (const [what, handler] of handlers) {
    it.live(`answers dunno for a handler that ${what}, and goes on`, () =>
      Effect.gen(function* () {
        const { port } = yield* limited({ answerTimeout: Duration.millis(50) }, (request) =>
          request.sender === "odd" ? handler() : echo(request)
        )
        const { heard, socket } = yield* client({ port })
        const started = performance.now()
        socket.write(ask("odd"))
        yield* until(() => heard() === "action=dunno\n\n")
        // Before the longest handler ends.
        expect(performance.now() - started).toBeLessThan(7_000)
        socket.write(ask("b"))
        yield* until(() => heard().endsWith("action=reject b\n\n"))
      })
    )
  }

  it.live("interrupts a late handler", () =>
    Effect.gen(function* () {
      let interrupted = false
      const { port } = yield* limited({ answerTimeout: Duration.millis(50) }, () =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))
      )
      const { socket } = yield* client({ port })
      socket.write(ask("a"))
      yield* until(() => interrupted)
    })
  )

  it.live.each<readonly [string, string]>([
    ["nonsense", "GET / HTTP/1.1\n\n"],
    ["another request", "request=other\n\n"],
    ["an empty request", "\n"],
    ["more at once than Postfix would", ask("a").repeat(maxPipelined + 1)],
    ["an endless line", "a".repeat(100_000)]
  ])("hangs up on %s, unanswered, and serves others", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* serve({ place, handler: echo })
      const [bad, good] = [yield* client({ port }), yield* client({ port })]
      bad.socket.write(bytes)
      yield* until(bad.closed)
      expect(bad.heard()).toBe("")
      good.socket.write(ask("b"))
      yield* until(() => good.heard() === "action=reject b\n\n")
    })
  )

  it.live("hangs up on a request that trickles in, and on an idle client", () =>
    Effect.gen(function* () {
      const slow = yield* limited({ requestTimeout: Duration.millis(100) })
      const trickling = yield* client(slow)
      const drop = setInterval(() => trickling.socket.write("a"), 10)
      yield* until(trickling.closed).pipe(Effect.ensuring(Effect.sync(() => clearInterval(drop))))
      const idle = yield* client(yield* limited({ idleTimeout: Duration.millis(100) }))
      yield* until(idle.closed)
    })
  )

  it.live("does not hang up between two requests on one that waits", () =>
    Effect.gen(function* () {
      const { heard, socket } = yield* client(yield* limited({ requestTimeout: Duration.seconds(4) }))
      socket.write(ask("a").slice(0, 5))
      // The request comes in two pieces. The timeout starts with the first and must stop at the end of the request.
      yield* Effect.sleep("50 millis")
      socket.write(ask("a").slice(5))
      yield* until(() => heard() !== "")
      yield* Effect.sleep("4200 millis")
      socket.write(ask("b"))
      yield* until(() => heard().endsWith("action=reject b\n\n"))
    })
  )

  it.live("does not take up a request before the one ahead of it is answered", () =>
    Effect.gen(function* () {
      const first = Deferred.makeUnsafe<void>()
      const asked: Array<string | undefined> = []
      const { port } = yield* serve({
        place,
        handler: (request) =>
          Effect.andThen(
            Effect.sync(() => asked.push(request.sender)),
            request.sender === "a" ? Effect.as(Deferred.await(first), reject("a")) : echo(request)
          )
      })
      const { heard, socket } = yield* client({ port })
      socket.write(ask("a"))
      yield* until(() => asked.length === 1)
      yield* Effect.promise(() => new Promise<void>((resolve) => socket.write(ask("b"), () => resolve())))
      yield* Effect.sleep("100 millis")
      expect(asked).toEqual(["a"])
      yield* Deferred.succeed(first, undefined)
      yield* until(() => heard() === "action=reject a\n\naction=reject b\n\n")
    })
  )

  it.live("hangs up on clients beyond the bound, and takes one again when there is room", () =>
    Effect.gen(function* () {
      const to = yield* limited({ maxConnections: 1 })
      const first = yield* client(to)
      first.socket.write(ask("a"))
      yield* until(() => first.heard() !== "")
      yield* until((yield* client(to)).closed)
      first.socket.destroy()
      const again = Effect.scoped(
        Effect.gen(function* () {
          const third = yield* client(to)
          third.socket.write(ask("c"))
          yield* until(() => third.closed() || third.heard() !== "")
          return third.heard()
        })
      )
      expect(yield* Effect.repeat(again, { until: (heard) => heard !== "" })).toBe("action=reject c\n\n")
    })
  )

  it.live("listens on a unix socket for its group only, clears one left behind, and not one in use", () =>
    Effect.gen(function* () {
      const path = `${yield* scratchFolder("policy")}/policy`
      const server = serve({ place: { path }, handler: () => Effect.succeed(dunno) })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* server
          expect(statSync(path).mode & 0o777).toBe(0o660)
          const { heard, socket } = yield* client({ path })
          socket.write(ask("a"))
          yield* until(() => heard() === "action=dunno\n\n")
          expect(yield* Effect.flip(Effect.scoped(server))).toMatchObject({
            _tag: "LocalListenError",
            why: "EADDRINUSE"
          })
          socket.write(ask("b"))
          yield* until(() => heard() === "action=dunno\n\naction=dunno\n\n")
        })
      )
      expect(existsSync(path)).toBe(false)
      yield* Effect.promise(() => abandon(path))
      expect(existsSync(path)).toBe(true)
      yield* Effect.scoped(server)
    })
  )

  it.live("hangs up on clients of a port whose address may not ask", () =>
    Effect.gen(function* () {
      const asked: Array<string | undefined> = []
      const handler = (request: PolicyRequest) => Effect.sync(() => (asked.push(request.sender), dunno))
      const served = (own: string) => serve({ place, handler, admits: (address) => address === own })
      const refused = yield* client(yield* served("192.0.2.1"))
      refused.socket.write(ask("a"))
      yield* until(refused.closed)
      const admitted = yield* client(yield* served("127.0.0.1"))
      admitted.socket.write(ask("b"))
      yield* until(() => admitted.heard() !== "")
      expect(asked).toEqual(["b"])
    })
  )

  it.live("hangs up when its scope closes, whatever the handler does", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      let asked = false
      const handler = () =>
        Effect.andThen(
          Effect.sync(() => (asked = true)),
          Effect.never
        )
      const open = yield* client(yield* Scope.provide(serve({ place, handler }), scope))
      open.socket.write(ask("a"))
      yield* until(() => asked)
      yield* Scope.close(scope, Exit.void)
      yield* until(open.closed)
    })
  )
})

/**
 * Creates a socket file like the one of a killed process. It is created with another name and renamed, so that closing
 * the server does not remove it.
 */
const abandon = async (path: string): Promise<void> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ path: `${path}.old` }, resolve))
  renameSync(`${path}.old`, path)
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
