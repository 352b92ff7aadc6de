/** Raw commands on the connection of the IMAP library: their answers, the library's updates, and their ends. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import type { TLSSocket } from "node:tls"
import { listPage } from "#daemons/mail-watcher/webmail-reading/list/MessageList.ts"
import { maxLine } from "#daemons/mail-watcher/accounts/sessions/AnswerLimits.ts"
import type { Source } from "#daemons/mail-watcher/webmail-reading/AccountReader.ts"
import { account, server, sessions } from "./ScriptedServer.ts"

const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "25 seconds")), 30_000)

const row = (number: number, subject: string) =>
  `* ${number} FETCH (UID ${number + 100} FLAGS () INTERNALDATE "17-Jul-2026 02:44:25 +0000" RFC822.SIZE 9 ENVELOPE (NIL ${subject} NIL NIL NIL NIL NIL NIL NIL NIL) BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7bit" 1 1))\r\n`

/** A server with a folder of two messages. `answer` can handle each command after the folder is opened. */
const folderOf = (answer: (socket: TLSSocket, tag: string, command: string, nth: number) => boolean) => {
  const counts = new Map<string, number>()
  return server((socket, tag, command) => {
    const nth = (counts.get(command) ?? 0) + 1
    counts.set(command, nth)
    if (command === "EXAMINE") return socket.write(`* 2 EXISTS\r\n${tag} OK [READ-ONLY] done\r\n`)
    return answer(socket, tag, command, nth)
  })
}

const page = (source: Source) => listPage(source, "INBOX", { page: 1, perPage: 2 })

const listed = (use: Effect.Success<ReturnType<typeof sessions>>["use"]) =>
  use(account, (client, raw) => page({ client, raw, careful: false }), {
    careful: (client, raw) => page({ client, raw, careful: true })
  })

describe("raw commands", () => {
  live("are said in one breath once the folder is open, and what is told behind them counts", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const place = yield* folderOf((socket, tag, command, nth) => {
        asked.push(command)
        if (command === "FETCH") return socket.write(`${row(1, "{3}\r\none")}${row(2, '"two"')}${tag} OK done\r\n`)
        // First a different client reads a message, then a new message arrives.
        if (command === "NOOP" && nth === 1) return socket.write(`* 2 FETCH (FLAGS (\\Seen))\r\n${tag} OK done\r\n`)
        if (command === "NOOP" && nth === 2) return socket.write(`* 3 EXISTS\r\n${tag} OK done\r\n`)
        return false
      })
      const { use } = yield* sessions(place)
      const first = yield* listed(use)
      assert.deepStrictEqual(
        first.items.map(({ seen, subject, uid }) => [uid, subject, seen]),
        [
          [102, "two", false],
          [101, "one", false]
        ]
      )
      asked.length = 0
      assert.deepStrictEqual(
        (yield* listed(use)).items.map(({ seen }) => seen),
        [true, false]
      )
      assert.deepStrictEqual(asked, ["FETCH", "NOOP"])
      const third = yield* listed(use)
      // The library knows the new message, so the page and the total change.
      assert.deepStrictEqual([third.total, asked.slice(2)], [3, ["FETCH", "NOOP", "NOOP", "FETCH", "FETCH"]])
    })
  )

  live("leave the library a line that came in pieces", () =>
    Effect.gen(function* () {
      const place = yield* folderOf((socket, tag, command, nth) => {
        // An untagged response begins after the last answer and continues before the next one.
        if (command === "NOOP" && nth === 1) return socket.write(`STS\r\n* FLAGS (\\Seen)\r\n${tag} OK done\r\n`)
        if (command !== "FETCH") return false
        if (nth === 1) return socket.write(`${row(1, '"one"')}${row(2, '"two"')}${tag} OK done\r\n* 3 EXI`)
        return socket.write(`${row(2, '"two"')}${row(3, '"three"')}${tag} OK done\r\n`)
      })
      const { use } = yield* sessions(place)
      yield* listed(use)
      assert.strictEqual(
        yield* use(account, async (client) => {
          await client.noop()
          return client.mailbox !== false && client.mailbox.exists
        }),
        3
      )
      assert.deepStrictEqual(
        (yield* listed(use)).items.map(({ subject }) => subject),
        ["three", "two"]
      )
    })
  )

  live("wait until the library has read a response that came in pieces", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      // The first piece comes behind the answer to EXAMINE, the other one before the answer to the next command.
      let rest = "\r\nP1 OK done\r\n)\r\n"
      const place = yield* server((socket, tag, command) => {
        if (command === "EXAMINE")
          return socket.write(`* 2 EXISTS\r\n${tag} OK [READ-ONLY] done\r\n* 1 FETCH (BODY[1] {${rest.length - 3}}\r\n`)
        if (command !== "NOOP" && command !== "FETCH") return false
        asked.push(command)
        const rows = command === "FETCH" ? `${row(1, '"one"')}${row(2, '"two"')}` : ""
        socket.write(`${rest}${rows}${tag} OK done\r\n`)
        rest = ""
        return true
      })
      const { items } = yield* listed((yield* sessions(place)).use)
      assert.deepStrictEqual(
        items.map(({ subject }) => subject),
        ["two", "one"]
      )
      assert.deepStrictEqual(asked, ["NOOP", "FETCH"])
    })
  )

  live("end with the connection, and with what a server refuses", () =>
    Effect.gen(function* () {
      const cut = yield* folderOf(
        (socket, _tag, command) => command === "FETCH" && (socket.write("* 1 FETCH (UID"), socket.end(), true)
      )
      let refusals = 0
      const refusing = yield* folderOf(
        (socket, tag, command) =>
          command === "FETCH" && socket.write(`${tag} NO [SERVERBUG] not today\r\n`) && ++refusals > 0
      )
      const lost = yield* Effect.result(listed((yield* sessions(cut)).use))
      assert.strictEqual(Result.isFailure(lost) && lost.failure._tag, "MailServerUnavailable")
      const refused = yield* Effect.result(listed((yield* sessions(refusing)).use))
      assert.deepStrictEqual(Result.isFailure(refused) && [refused.failure._tag, refused.failure.detail, refusals], [
        "MailRefused",
        "not today",
        1
      ])
    })
  )

  live("are done with care where the answer is too long, or is none", () =>
    Effect.gen(function* () {
      for (const said of [row(1, `"${"x".repeat(maxLine)}"`), "* 1 FETCH (\r x)\r\n", row(1, "{99999999}\r\n")]) {
        const place = yield* folderOf((socket, tag, command, nth) => {
          if (command !== "FETCH") return false
          // `write` returns false for a long text.
          if (nth === 1) return (socket.write(said), true)
          return socket.write(
            `${[1, 2].map((number) => `* ${number} FETCH (UID ${number} FLAGS () BODY[HEADER]<0> {14}\r\nSubject: all\r\n)\r\n`).join("")}${tag} OK done\r\n`
          )
        })
        assert.deepStrictEqual(
          (yield* listed((yield* sessions(place)).use)).items.map(({ subject }) => subject),
          ["all", "all"]
        )
      }
    })
  )
})
