/** The platform gets other addresses: what is wanted of domains follows at once, or at the next start. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { as, callsOf, startVerifier } from "../Verifier.ts"

it.live(
  "updates the platform's records to its new addresses",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const before = yield* startVerifier({ env: { SIGNALBOX_PLATFORM_IPV4: "", SIGNALBOX_PLATFORM_IPV6: "" } })
        const { id: early } = yield* callsOf(before, as(91)).domain("early.example.org")
        const first = yield* startVerifier({ database: before.database, env: { SIGNALBOX_PLATFORM_IPV6: "" } })
        const anna = callsOf(first, as(91))
        const { id } = yield* anna.domain("moved.example.org")
        const { id: other } = yield* anna.domain("other.example.org")
        yield* anna.record(id, "AAAA", "@", "2001:db8::20")
        // Nothing answers at its address.
        const { id: account } = yield* anna.provider("provider_e", {
          credentials: { url: "http://127.0.0.1:9", api_key: "k".repeat(20) }
        })
        const { id: managed } = yield* anna.domain("managed.example.org", { dns_provider_id: account })
        const requested = Effect.map(
          first.sql<{ requested: number }>`select requested from dns_verifier.zone_change where domain_id = ${managed}`,
          ([row]) => row!.requested
        )
        expect(yield* requested).toBe(1)
        yield* first.sql`update dns_verifier.record set status = 'ok', checked_at = now()`
        const listed = (suite: typeof first, domain: number) =>
          Effect.map(callsOf(suite, as(91)).get(`domains/${domain}/records`), ({ json }) =>
            json.items.map(({ content, name, source, status, type }: any) => [type, name, content, source, status])
          )
        // Added before the address was configured.
        expect(yield* listed(first, early)).toEqual(yield* listed(first, id).pipe(Effect.map((all) => all.slice(0, 2))))
        const again = (env: Record<string, string>) => startVerifier({ database: first.database, env })
        const same = yield* again({ SIGNALBOX_PLATFORM_IPV6: "" })
        expect((yield* listed(same, other)).map(([, , , , status]: any) => status)).toEqual(["ok", "ok"])
        expect(yield* requested).toBe(1)
        const second = yield* again({ SIGNALBOX_PLATFORM_IPV4: "192.0.2.77", SIGNALBOX_PLATFORM_IPV6: "2001:db8::20" })
        // The zones of managed domains follow the new addresses.
        expect(yield* requested).toBe(2)
        const moved = [
          ["A", "@", "192.0.2.77", "platform", "unknown"],
          ["A", "www", "192.0.2.77", "platform", "unknown"]
        ]
        expect(yield* listed(second, id)).toEqual(
          expect.arrayContaining([...moved, ["AAAA", "@", "2001:db8::20", "platform", "ok"]])
        )
        expect(yield* listed(second, other)).toEqual(
          expect.arrayContaining([...moved, ["AAAA", "@", "2001:db8::20", "platform", "unknown"]])
        )
        const third = yield* again({ SIGNALBOX_PLATFORM_IPV4: "192.0.2.77", SIGNALBOX_PLATFORM_IPV6: "" })
        expect(yield* listed(third, other)).toEqual(moved)
      })
    ),
  120_000
)

it.live(
  "follows an address that an operator stores while it runs",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startVerifier({ env: { SIGNALBOX_PLATFORM_IPV4: "", SIGNALBOX_PLATFORM_IPV6: "" } })
        const anna = callsOf(suite, as(92))
        const { id } = yield* anna.domain("stored.example.org")
        const domain = Effect.map(anna.get(`domains/${id}`), ({ json }) => json)
        expect((yield* domain).waiting_for).toEqual(["SIGNALBOX_PLATFORM_IPV4"])
        yield* suite.sql`insert into core.stored_setting (name, value, changed_by)
          values ('SIGNALBOX_PLATFORM_IPV4', '192.0.2.88', 'operator')`
        yield* suite.sql`select pg_notify('signalbox', 'core.settings')`
        yield* until(
          "the records exist",
          Effect.map(anna.get(`domains/${id}/records`), ({ json }) =>
            ["@", "www"].every((name) =>
              json.items.some((row: any) => row.name === name && row.content === "192.0.2.88")
            )
          )
        )
        expect((yield* domain).waiting_for).toBeUndefined()
      })
    ),
  120_000
)
