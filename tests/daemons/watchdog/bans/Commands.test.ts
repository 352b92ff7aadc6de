/** `signalbox ban` beside a running watchdog, with and without CrowdSec's bans. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option } from "effect"
import { expect } from "vitest"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { Environment } from "#core/config/Environment.ts"
import * as Operator from "#daemons/watchdog/bans/Operator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { until } from "#support/Frame.ts"
import { startWatchdog } from "./Security.ts"

const none = Option.none()
const some = Option.some
const filters = { address: none, source: none, rule: none, limit: 50, json: true }

it.live(
  "an operator bans, lists, lifts and exempts addresses",
  () =>
    Effect.gen(function* () {
      const { database, env: own } = yield* startWatchdog()
      const env = { ...own }
      const out: Array<string> = []
      const ran = <A, E>(command: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          out.length = 0
          return command.pipe(
            Effect.provideService(Environment, env),
            Effect.provideService(Console.Console, recording(out)),
            Effect.exit
          )
        })
      const json = <A, E>(command: Effect.Effect<A, E>) =>
        Effect.map(ran(command), (exit): any => {
          expect(Exit.isSuccess(exit), String(exit)).toBe(true)
          return JSON.parse(out.join("\n"))
        })
      const refused = <A, E>(command: Effect.Effect<A, E>) => Effect.map(ran(command), String)

      // Ban: an address and a range; what the API refuses, in sentences.
      const ban = { address: "192.0.2.7", reason: "scans", length: "7d", json: true }
      expect(yield* json(Operator.add(ban))).toMatchObject({ address: "192.0.2.7", rule: "manual", source: "own" })
      // As fail2ban's action writes the duration.
      yield* ran(Operator.add({ ...ban, address: "2001:db8::/48", length: "86400s", json: false }))
      expect(out[0]).toMatch(/^2001:db8::\/48 is banned until .* \(id \d+\)\.$/)
      expect(yield* refused(Operator.add({ ...ban, address: "nobody" }))).toContain("neither an address nor a range")
      expect(yield* refused(Operator.add({ ...ban, address: "127.0.0.1" }))).toContain("loopback")
      expect(yield* refused(Operator.add({ ...ban, address: "198.0.0.0/8" }))).toMatch(/The address .*\/16/)
      expect(yield* refused(Operator.add({ ...ban, length: "400d" }))).toContain("At most 366 days")
      expect(yield* refused(Operator.add({ ...ban, reason: "two\nlines" }))).toContain("without line breaks")

      // List, with CrowdSec's bans once it is configured.
      yield* withClient(
        database.superuser,
        (sql) => sql`insert into watchdog.decision (source, key, address, rule, origin, since, until)
          values ('crowdsec', '9', '203.0.113.5', 'crowdsecurity/ssh-bf', 'crowdsec', now(), now() + interval '1 hour')`
      )
      const addresses = (more: object) =>
        Effect.map(json(Operator.list({ ...filters, ...more })), ({ items }) =>
          items.map(({ address }: { readonly address: string }) => address)
        )
      expect(yield* addresses({})).toEqual(["2001:db8::/48", "192.0.2.7"])
      Object.assign(env, { SIGNALBOX_CROWDSEC_URL: "http://127.0.0.1:1", SIGNALBOX_CROWDSEC_BOUNCER_KEY: "key" })
      expect(yield* addresses({})).toEqual(["203.0.113.5", "2001:db8::/48", "192.0.2.7"])
      expect(yield* addresses({ source: some("crowdsec") })).toEqual(["203.0.113.5"])
      expect(yield* addresses({ address: some("192.0.2.0/24") })).toEqual(["192.0.2.7"])
      expect(yield* addresses({ rule: some("manual"), limit: 1 })).toEqual(["2001:db8::/48"])
      yield* ran(Operator.list({ ...filters, json: false }))
      expect(out.join("\n")).toMatch(/own +192\.0\.2\.7 +manual .*scans/)

      // Lift by id and by address; CrowdSec's bans cannot be lifted without its machine.
      const lift = { ban: "192.0.2.7", exempt: "1h", reason: some("a colleague"), json: true }
      expect(yield* json(Operator.lift(lift))).toMatchObject({ address: "192.0.2.7", lifted: 1 })
      expect(yield* refused(Operator.lift(lift))).toContain("192.0.2.7 is not banned.")
      expect(yield* refused(Operator.lift({ ...lift, ban: "999999" }))).toContain("CommandFailed")
      expect(yield* refused(Operator.lift({ ...lift, ban: "203.0.113.5" }))).toContain("CommandFailed")
      const [{ id }] = (yield* json(Operator.list({ ...filters, source: some("own") }))).items
      yield* ran(Operator.lift({ ...lift, ban: String(id), exempt: "0", json: false }))
      expect(out).toEqual(["1 ban of 2001:db8::/48 lifted."])
      expect(yield* addresses({ source: some("own") })).toEqual([])

      // Exemptions: that of the lift, a new one, its end. A ban of an exempt address is refused.
      expect(yield* refused(Operator.add(ban))).toMatch(/exempt/)
      const exempt = { address: "198.51.100.0/24", reason: some("office"), length: "12h", end: false, json: true }
      expect(yield* json(Operator.exempt(exempt))).toMatchObject({ address: "198.51.100.0/24", created_by: "operator" })
      expect(yield* refused(Operator.exempt({ ...exempt, reason: none }))).toContain("needs --reason")
      expect(yield* refused(Operator.exempt({ ...exempt, length: "91d" }))).toContain("At most 90 days")
      const exemptions = Effect.map(json(Operator.exemptions({ limit: 20, json: true })), (found: ReadonlyArray<any>) =>
        found.map(({ address }) => address)
      )
      expect(yield* exemptions).toEqual(["198.51.100.0/24", "192.0.2.7"])
      yield* ran(Operator.exempt({ ...exempt, end: true, json: false }))
      expect(out).toEqual(["198.51.100.0/24 is not exempt any more."])
      expect(yield* refused(Operator.exempt({ ...exempt, end: true }))).toContain("is not exempt.")
      expect(yield* exemptions).toEqual(["192.0.2.7"])
      yield* ran(Operator.exemptions({ limit: 20, json: false }))
      expect(out[1]).toMatch(/192\.0\.2\.7 .*operator/)

      // What happened, and the counts.
      const kinds = Effect.map(json(Operator.alerts({ ...filters, kind: none })), (found: ReadonlyArray<any>) =>
        found.map(({ address, kind }) => `${kind} ${address}`)
      )
      const happened = [
        "ban 192.0.2.7",
        "ban 2001:db8::/48",
        "exemption 192.0.2.7",
        "exemption 198.51.100.0/24",
        "exemption_end 198.51.100.0/24",
        "lift 192.0.2.7",
        "lift 2001:db8::/48"
      ]
      yield* until(
        "the daemon has read all events",
        Effect.map(kinds, (found) => [...found].toSorted().join() === happened.join())
      )
      expect(yield* json(Operator.alerts({ ...filters, kind: some("lift") }))).toHaveLength(2)
      yield* ran(Operator.summary({ days: 7, json: false }))
      expect(out.join("\n")).toMatch(/^CrowdSec is away .*\nActive bans: 0 of our own, 1 of CrowdSec\. Exemptions: 1\./)
      expect(yield* json(Operator.summary({ days: 7, json: true }))).toMatchObject({ active: { own: 0, crowdsec: 1 } })
    }).pipe(Effect.scoped),
  120_000
)
