/** `signalbox support …`, `signalbox alarm ack` and `signalbox workflow …` beside a running comm-dispatcher. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { ensureBuilt, environmentOf, run } from "#support/Executable.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startDispatcher } from "../daemons/comm-dispatcher/Dispatcher.ts"
import { member } from "../daemons/comm-dispatcher/notifications/NotificationCases.ts"

beforeAll(ensureBuilt, 120_000)

it.live(
  "shows requests for support by their codes, and acknowledges an alarm with its result in the cache",
  () =>
    Effect.gen(function* () {
      const place = yield* startDispatcher({ minute: 60_000 })
      const dataDir = yield* temporaryDirectory()
      const signalbox = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run(args, { ...environmentOf(dataDir), DATABASE_URL: place.suite.database.url }))

      const user = fakeUser("U", 81, "", 811)
      yield* member(place.sql, { tenant: 81, user: 811, name: "Eva", email: "eva@user.test" })
      expect((yield* signalbox("support", "list")).stdout).toBe("No open support sessions.\n")
      const asked = yield* place.suite.call("POST", "/api/v1/support/sessions", {
        headers: user.headers,
        body: { channel: "phone", message: "Mail is gone" }
      })
      const code: string = asked.json.session_code
      const listed = yield* signalbox("support", "list")
      expect(listed.stdout).toMatch(new RegExp(`${code} +open +81 +phone +Eva <eva@user.test> +Mail is gone`))
      const shown = yield* signalbox("support", "show", code.replace("-", ""), "--json")
      expect(JSON.parse(shown.stdout)).toMatchObject({ session_code: code, state: "open", user: { id: 811 } })
      const closed = yield* signalbox("support", "close", code)
      expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("closed by operator")])
      expect(JSON.parse((yield* signalbox("support", "list", "--json")).stdout)).toEqual([])
      expect((yield* signalbox("support", "show", "12")).code).toBe(64)
      expect((yield* signalbox("support", "close", code === "0000-0000" ? "00000001" : "00000000")).code).toBe(1)

      const { json } = yield* place.trigger("INFO:WEBHOOK+http://nobody.invalid/;RETRY:5x60m")
      yield* place.runWhen(json.run_id, (found) => found.targets[0].attempts[0]?.state === "failed")
      const ack = yield* signalbox("alarm", "ack", json.run_id)
      expect(ack.code, ack.stderr).toBe(0)
      const [cached] = yield* place.sql<{ value: unknown }>`select value from core.cache
        where key = ${`alarm:run:${json.run_id}`}`
      const workflows = yield* signalbox("workflow", "list")
      expect(workflows.stdout, workflows.stderr).toMatch(/^bans-added +security\.ban\.added +/m)
      const runs = yield* signalbox("workflow", "runs", "alarm")
      expect(runs.stdout, runs.stderr).toMatch(/ alarm +acknowledged /)
      expect(cached?.value).toEqual({
        run_id: json.run_id,
        state: "acknowledged",
        severity: "INFO",
        targets: 1,
        delivered: 0
      })
    }).pipe(Effect.scoped),
  240_000
)
