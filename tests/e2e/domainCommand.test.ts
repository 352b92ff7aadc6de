/** `signalbox domain …` beside a running dns-verifier: the operator's view, and a check that is stored. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import * as HostileServer from "#support/dns/HostileServer.ts"
import { ensureBuilt, environmentOf, run } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { as, callsOf, ipv4, startVerifier } from "../daemons/dns-verifier/Verifier.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "lists, shows, looks, and tells by its status whether a domain leads here",
  () =>
    Effect.gen(function* () {
      const suite = yield* startVerifier()
      const anna = callsOf(suite, as(95))
      const { dns } = suite
      for (const [name, address] of [
        ["here.test", ipv4],
        ["there.test", "198.51.100.5"]
      ] as const) {
        dns.delegate(name, `ns1.${name}`)
        dns.say(name, [HostileServer.soa(name), HostileServer.ns(name, `ns1.${name}`), HostileServer.a(name, address)])
        yield* anna.domain(name)
      }
      const dataDir = yield* temporaryDirectory()
      const domain = (...args: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run(["domain", ...args], {
            ...environmentOf(dataDir),
            ...dns.env,
            DATABASE_URL: suite.database.url,
            SIGNALBOX_PLATFORM_IPV4: ipv4
          })
        )

      const early = yield* domain("check", "here.test")
      expect([early.code, early.stdout]).toEqual([0, "here.test: manual\nThe domain has not been checked yet.\n"])
      const right = yield* domain("verify", "HERE.test.")
      expect([right.code, right.stdout.split("\n")[0]], right.stderr).toEqual([0, "here.test: verified"])
      expect(right.stdout).toMatch(/^A @ +ns1\.here\.test +answer +192\.0\.2\.10$/m)
      const wrong = yield* domain("verify", "there.test", "--lang", "de")
      expect([wrong.code, wrong.stdout], wrong.stderr).toEqual([
        1,
        expect.stringContaining("there.test führt zu einem anderen Server: 198.51.100.5.")
      ])
      const bob = callsOf(suite, as(96))
      expect((yield* bob.post("domains", { name: "new.test", customer_id: 5 })).status).toBe(201)
      const all = yield* domain("list")
      expect(all.stdout, all.stderr).toMatch(/^\d+ +here\.test +proven +verified +active +95 +5$/m)
      expect(all.stdout).toMatch(/^\d+ +new\.test +pending .* 96 +5$/m)
      const listed = yield* domain("list", "--status", "verified", "--json")
      expect(JSON.parse(listed.stdout).map(({ dns_status, name, status }: any) => [name, dns_status, status])).toEqual([
        ["here.test", "verified", "active"]
      ])
      const shown = yield* domain("show", "here.test")
      expect(shown.stdout).toMatch(/^A +@ +ok +platform +no +192\.0\.2\.10$/m)
      expect(shown.stdout).toMatch(/^last change +none: no_account$/m)
      expect(yield* domain("show", "never.test")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("The domain never.test does not exist.")
      })
      const [line] = yield* suite.sql<{
        actor: string
      }>`select actor from core.audit where action = 'domain.verified' and tenant_id = 95`
      expect(line?.actor).toBe("operator")
    }),
  120_000
)
