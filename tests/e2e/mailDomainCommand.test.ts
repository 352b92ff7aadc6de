/** `signalbox mail-domain …` beside a running mail-admin: what an operator sees and accepts. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { ensureBuilt, environmentOf, run } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { as, callsOf, mailServer, startAdmin } from "../daemons/mail-admin/Admin.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "lists pending domains, shows the record of one, and accepts it for the tenant that it names",
  () =>
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const body = { domain: "claimed.test", customer_id: 5 }
      const [first, second] = [
        yield* callsOf(suite, as(7)).post("domains", body),
        yield* callsOf(suite, as(8)).post("domains", body)
      ]
      yield* callsOf(suite, as(7)).domain("given.test")
      const dataDir = yield* temporaryDirectory()
      const mailDomain = (...args: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run(["mail-domain", ...args], { ...environmentOf(dataDir), ...mailServer, DATABASE_URL: suite.database.url })
        )

      const pending = yield* mailDomain("list", "--pending", "--json")
      expect(
        JSON.parse(pending.stdout).map(({ domain, tenant_id }: any) => [domain, tenant_id]),
        pending.stderr
      ).toEqual([
        ["claimed.test", 8],
        ["claimed.test", 7]
      ])
      const both = yield* mailDomain("assert", "claimed.test")
      expect([both.code, both.stderr]).toEqual([1, expect.stringContaining(`${first.json.id} (tenant 7)`)])
      const shown = yield* mailDomain("show", String(second.json.id))
      expect(shown.stdout).toContain(`_signalbox.claimed.test TXT ${second.json.ownership.challenge.content}`)
      const accepted = yield* mailDomain("assert", String(second.json.id))
      expect([accepted.code, accepted.stdout], accepted.stderr).toEqual([0, "claimed.test belongs to tenant 8.\n"])
      expect((yield* callsOf(suite, as(8)).get(`domains/${second.json.id}`)).json.ownership.state).toBe("proven")
      const late = yield* mailDomain("assert", String(first.json.id))
      expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("Another tenant holds the domain")])
      const [entry] = yield* suite.sql<{ actor: string }>`select actor from core.audit
        where action = 'mail_domain.proven' and entity_id = ${String(second.json.id)}`
      expect(entry?.actor).toBe("operator")
      expect((yield* mailDomain("show", "never.test")).stderr).toContain("the mail domain never.test does not exist")
    }),
  120_000
)
