import type { Login } from "#protocols/imap-watch/Credentials.ts"
import { connect, type WatchOptions } from "#protocols/imap-watch/WatchConnection.ts"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Queue, Redacted, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import type { AddressInfo } from "node:net"
import { performance } from "node:perf_hooks"
import { createSecureContext, createServer } from "node:tls"

/** Key and certificate for 127.0.0.1 in one text. */
const pem = spawnSync(
  "openssl",
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout - -out -".split(
    " "
  ),
  { encoding: "utf8" }
).stdout
const secureContext = createSecureContext({ ca: pem })

const token: Login = {
  _tag: "Sasl",
  mechanism: "OAUTHBEARER",
  response: Redacted.make("dG9rZW4="),
  errorAnswer: "AQ=="
}

/**
 * A scripted server: sends the greeting, then one answer per client line, after `answerAfter` milliseconds. Then sends
 * `more` for as long as the client reads. `TAG` stands for the tag of the line. `heard`: lines from the client.
 */
const scripted = (
  greeting: string,
  answers: ReadonlyArray<string>,
  {
    answerAfter = 0,
    more,
    ...options
  }: Partial<WatchOptions> & { readonly answerAfter?: number; readonly more?: string } = {}
) =>
  Effect.gen(function* () {
    const heard: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const rest = [...answers]
        const listening = createServer({ key: pem, cert: pem }, (socket) => {
          socket.on("error", () => {}).write(greeting)
          if (more !== undefined) socket.on("drain", () => socket.write(more))
          socket.on("data", (bytes) => {
            heard.push(bytes.toString())
            const answer = rest.shift()?.replaceAll("TAG", bytes.toString().split(" ")[0]!)
            if (answer !== undefined && answerAfter > 0) setTimeout(() => socket.write(answer, "latin1"), answerAfter)
            else if (answer !== undefined) socket.write(answer, "latin1")
          })
        })
        await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
        return listening
      }),
      (listening) => Effect.sync(() => listening.close())
    )
    const { port } = server.address() as AddressInfo
    const watching = connect({
      host: "127.0.0.1",
      port,
      secureContext,
      login: token,
      stepTimeout: Duration.seconds(2),
      connectTimeout: Duration.seconds(2),
      ...options
    })
    return { heard, watching }
  })

const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "15 seconds")), 20_000)

describe("with a server that follows a script", () => {
  live("signs in by token and answers the challenge of a refusal", () =>
    Effect.gen(function* () {
      const { heard, watching } = yield* scripted("* OK [CAPABILITY IMAP4rev1 SASL-IR] hi\r\n", [
        "+ eyJzdGF0dXMiOiI0MDAifQ==\r\n",
        "A1 NO [UNAVAILABLE] dG9rZW4= later\r\n"
      ])
      const refused = yield* Effect.flip(watching)
      expect(refused).toMatchObject({ reason: { _tag: "Refused", code: "UNAVAILABLE" }, retryable: true })
      expect(JSON.stringify(refused) + refused.message).not.toContain("dG9rZW4=")
      expect(heard).toEqual(["A1 AUTHENTICATE OAUTHBEARER dG9rZW4=\r\n", "AQ==\r\n"])
    })
  )

  live(
    "asks what the server can, waits with the token where it must, and looks folder by folder where there is no LIST-STATUS",
    () =>
      Effect.gen(function* () {
        const { heard, watching } = yield* scripted("* OK hi\r\n", [
          "* CAPABILITY IMAP4rev1\r\nTAG OK\r\n",
          "+ \r\n",
          "A2 OK in\r\n",
          "* CAPABILITY IMAP4rev1\r\nTAG OK\r\n",
          '* LIST (\\Noselect) "/" Top\r\n* LIST () "/" Inbox\r\n* LIST () "/" Gone\r\nTAG OK\r\n',
          "* STATUS INBOX (MESSAGES 2 UIDNEXT 9)\r\nTAG OK\r\n",
          "TAG NO no such folder\r\n"
        ])
        const { changes, mode } = yield* watching
        expect(mode).toBe("poll")
        expect(yield* Queue.takeAll(changes)).toEqual([
          { folder: "INBOX", kind: "listed", status: {} },
          { folder: "Gone", kind: "listed", status: {} },
          { folder: "INBOX", kind: "status", status: { messages: 2, uidNext: 9 } },
          { folder: "", kind: "looked", status: {} }
        ])
        expect(heard.slice(1, 3)).toEqual(["A2 AUTHENTICATE OAUTHBEARER\r\n", "dG9rZW4=\r\n"])
      })
  )

  const signedIn = "* PREAUTH [CAPABILITY IMAP4rev1 IDLE LIST-STATUS] hi\r\n"
  const idling = ["TAG OK\r\n", "TAG OK\r\n", "+ idling\r\n"]

  live("a server that refuses NOTIFY is watched by IDLE, and one that refuses IDLE, too, by looking", () =>
    Effect.gen(function* () {
      const greeting = "* PREAUTH [CAPABILITY IMAP4rev1 NOTIFY IDLE LIST-STATUS] hi\r\n"
      expect((yield* (yield* scripted(greeting, ["TAG NO\r\n", ...idling])).watching).mode).toBe("idle")
      expect(
        (yield* (yield* scripted(greeting, ["TAG BAD\r\n", "TAG OK\r\n", "TAG OK\r\n", "TAG NO\r\n"])).watching).mode
      ).toBe("poll")
    })
  )

  for (const [name, said, tag] of [
    ["a BYE", "* BYE shutting down\r\n", "Bye"],
    ["a BYE instead of a greeting", "", "Bye"],
    ["bytes that are no IMAP", "\0\n", "Protocol"],
    ["a literal without end", '* LIST () "/" {4000000000}\r\n', "Protocol"],
    ["an answer that nothing asked for", "X9 OK\r\n", "Protocol"],
    ["IDLE ended by the server", "A3 OK done\r\n", "Lost"]
  ] as const) {
    live(`${name} ends it as ${tag}`, () =>
      Effect.gen(function* () {
        const { watching } = yield* scripted(said === "" ? "* BYE too many\r\n" : signedIn, [
          ...idling.slice(0, 2),
          `${idling[2]}${said}`
        ])
        const failing = Effect.flatMap(watching, ({ changes }) => Effect.forever(Queue.take(changes)))
        expect((yield* Effect.flip(failing)).reason._tag).toBe(tag)
      })
    )
  }

  live("a server that answers, but never comes to the end of its folders, is given up", () =>
    Effect.gen(function* () {
      const folders = Array.from({ length: 200 }, (_, at) => `* LIST () "/" f${at}\r\n`).join("")
      const { watching } = yield* scripted(
        "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n",
        [`${folders}TAG OK\r\n`, ...Array<string>(200).fill("TAG OK\r\n")],
        { lookTimeout: Duration.millis(300), answerAfter: 50 }
      )
      expect(yield* Effect.flip(watching)).toMatchObject({
        step: "LIST",
        reason: { _tag: "Timeout", milliseconds: 300 }
      })
    })
  )

  live("what a server says at the end is told without what it was told, and without what moves a terminal", () =>
    Effect.gen(function* () {
      const login: Login = { _tag: "Password", user: "ann", password: Redacted.make("four words") }
      const repeats = yield* Effect.flip(
        (yield* scripted("* OK [CAPABILITY IMAP4rev1] hi\r\n", ['* BYE what is LOGIN ann "four words"\r\n'], { login }))
          .watching
      )
      expect(repeats.reason._tag).toBe("Bye")
      expect(JSON.stringify(repeats) + repeats.message).not.toContain("four words")
      const rude = yield* Effect.flip((yield* scripted("* BYE \u001b]0;yours\u0007 now\r\n", [])).watching)
      expect(rude.message).toBe("connect: the server ended it (]0;yours now)")
    })
  )

  live("a server that talks without end leaves the processor to others", () =>
    Effect.gen(function* () {
      const flood = `* STATUS INBOX (MESSAGES 2 UIDNEXT 9)\r\n`.repeat(20_000)
      const { watching } = yield* scripted(
        "* PREAUTH [CAPABILITY IMAP4rev1 LIST-STATUS] hi\r\n",
        [`TAG OK\r\n${flood}`],
        { more: flood }
      )
      yield* watching
      yield* Effect.sleep("1 seconds")
      const before = process.cpuUsage()
      const loop = performance.eventLoopUtilization()
      yield* Effect.sleep("2 seconds")
      expect(performance.eventLoopUtilization(loop).utilization).toBeLessThan(0.5)
      expect(process.cpuUsage(before).user).toBeLessThan(1_500_000)
    })
  )

  live("a server that does not greet, or does not answer, is given up", () =>
    Effect.gen(function* () {
      const brief = { connectTimeout: Duration.millis(200), stepTimeout: Duration.millis(200) }
      expect(yield* Effect.flip((yield* scripted("", [], brief)).watching)).toMatchObject({
        step: "connect",
        reason: { _tag: "Timeout" }
      })
      expect(
        yield* Effect.flip(
          (yield* scripted("* OK hi\r\n", [], { ...brief, connectTimeout: Duration.seconds(5) })).watching
        )
      ).toMatchObject({ step: "CAPABILITY", reason: { _tag: "Timeout" } })
    })
  )
})
