/** Times in mails about alerts: in the time zone of the account to which they go, else in UTC. */
import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { expect } from "vitest"
import { identity } from "#daemons/identity/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { failing, reportingDaemon } from "./Reporter.ts"
import { atOnce, callsOf, eventually, provider, receivers } from "./Watch.ts"

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")

it.live(
  "a mail has the times of its reader's account, and UTC for an address without account or for readers who differ",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { alerts, daemon } = reportingDaemon()
      const suite = yield* startSuite({
        daemons: [identity, daemon],
        verifier: fakeUsers,
        env: { ...all.env, SIGNALBOX_ADMIN_EMAIL: "boss@example.test,deputy@example.test" }
      })
      const { put } = callsOf({
        ...suite,
        call: (method, path, options) => suite.call(method, path, { ...options, of: daemon.name })
      })
      expect((yield* put("alert-rules", atOnce)).status).toBe(200)
      let told = 0
      /** Text of the mail about a new alert. */
      const mailAbout = Effect.fnUntraced(function* (key: string) {
        yield* alerts().report(failing(key))
        told++
        yield* eventually(key, () => all.mail.mails.length === told)
        return all.mail.mails[told - 1]!.mail.text ?? ""
      })
      expect(yield* mailAbout("first")).toMatch(/since .* at \d\d:\d\d UTC\)/)

      const users = (method: string, path: string, body: object) =>
        suite.call(method, `/api/v1/users${path}`, { of: identity.name, headers: provider, body })
      const add = (email: string, time_zone: string | null) =>
        users("POST", "", { email, name: "Reader", role: "admin", time_zone })
      const zones = (wanted: ReadonlyArray<string | null>) =>
        until(
          "the accounts",
          Effect.map(
            suite.sql<{ time_zone: string | null }>`select time_zone from watchdog.alert_reader
            where email like '%@example.test' order by user_id`,
            (rows) => JSON.stringify(rows.map(({ time_zone }) => time_zone)) === JSON.stringify(wanted)
          ),
          40
        )
      expect((yield* add("Boss@example.test", "Asia/Tokyo")).status).toBe(201)
      const deputy = yield* add("deputy@example.test", "Europe/Berlin")
      yield* zones(["Asia/Tokyo", "Europe/Berlin"])
      expect(yield* mailAbout("second")).toMatch(/at \d\d:\d\d UTC\)/)

      yield* users("PATCH", `/${deputy.json.id}`, { time_zone: "Asia/Tokyo" })
      yield* zones(["Asia/Tokyo", "Asia/Tokyo"])
      // Each round reads the zone. The round of the first look may have begun before the change, the next one ends
      // before the third begins.
      const begins = new Set<string>()
      yield* until(
        "a round has read the zone",
        Effect.map(suite.call("GET", "/health", { of: daemon.name }), ({ json }) => {
          const round = json.actors.find(({ name }: { readonly name: string }) => name === "alerts without Postgres")
          return begins.add(round.last_progress).size > 2
        }),
        30
      )
      const text = yield* mailAbout("third")
      expect(text).toMatch(/at \d\d:\d\d (?:GMT\+9|JST)\)/)
      expect(text).not.toContain("UTC")
      expect(all.bot.messages.at(-1)!.text).toMatch(/at \d\d:\d\d UTC\)/)
    }).pipe(quietly),
  120_000
)
