import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn, temporaryDirectory } from "#support/Postgres.ts"
import { startDispatcher, until } from "../Dispatcher.ts"

/** Ids of the child processes of `pid`. */
const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, "utf8")
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid
      } catch {
        return false
      }
    })

const kill9 = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

describe("the database away between delivery and recording", () => {
  it.live(
    "is waited out: the outcome is recorded afterwards and nothing is sent again",
    () =>
      Effect.gen(function* () {
        // With fsync, unlike the server of the test run: a killed server must keep its commits.
        const server = yield* start({ dataDir: yield* temporaryDirectory() })
        const database = yield* freshDatabaseOn(server.socketDir)
        const { bot, ended, sink, trigger, url } = yield* startDispatcher({ database })
        sink.behaviour = { delay: 300 }
        const answer = yield* trigger(`ALERT:WEBHOOK+${url}/slow;MESSENGER+9`)
        yield* until("both are out", () => sink.requests.length === 1 && bot.messages.length === 1)
        // Kills every session. The stopped server cannot come back before the receiver has answered.
        process.kill(server.pid, "SIGSTOP")
        for (const child of childrenOf(server.pid)) kill9(child)
        yield* Effect.ensuring(
          Effect.sleep("1 second"),
          Effect.sync(() => process.kill(server.pid, "SIGCONT"))
        )
        const run = yield* Effect.suspend(() => ended(answer.json.run_id))
        assert.strictEqual(run.state, "delivered")
        assert.deepStrictEqual(
          run.targets[0].attempts.map((attempt: any) => attempt.state),
          ["delivered"]
        )
        assert.lengthOf(sink.requests, 1)
        // Whether or not the message was recorded before the outage, it must not be repeated without a mark.
        assert.lengthOf(
          bot.messages.filter(({ text }) => text.startsWith("ALERT")),
          1
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
