import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { until } from "#support/Frame.ts"
import { ours } from "./decide/Seen.ts"
import { says, withSweep } from "./sweep/SweepRig.ts"

describe("a verification", () => {
  it.live(
    "is pending while it runs, continues after the caller disconnects, and is shared by parallel callers",
    () =>
      withSweep(({ add, dns, events, row, sql, verification }) =>
        Effect.gen(function* () {
          const id = yield* add("a.example")
          const gate = yield* Deferred.make<void>()
          dns.set("a.example", (questions, depth) =>
            Effect.andThen(Deferred.await(gate), says([ours])(questions, depth))
          )
          const first = yield* Effect.forkChild(verification.verify(id, "user:3"))
          yield* until(
            "it is asked",
            Effect.sync(() => dns.count("a.example") === 1)
          )
          expect(yield* row(id)).toMatchObject({ dns_status: "pending_verification", status: "pending" })
          const second = yield* Effect.forkChild(verification.verify(id, "user:4"))
          yield* Fiber.interrupt(first)
          yield* Deferred.succeed(gate, undefined)
          expect((yield* Fiber.join(second))!.asked[0]!.authorities[0]!.said.values).toEqual([ours])
          expect(yield* row(id)).toMatchObject({ dns_status: "verified", status: "active" })
          expect(dns.asked.map(({ depth }) => depth)).toEqual(["deep"])
          expect((yield* events).map(({ dns_status, type }) => [type, dns_status])).toEqual([
            ["domain.changed", "pending_verification"],
            ["domain.verified", "verified"]
          ])
          expect(yield* sql`select actor, action from core.audit`).toEqual([
            { actor: "user:3", action: "domain.verified" }
          ])
        })
      ),
    120_000
  )

  it.live(
    "without a result restores the previous status, counts as a check, and keeps a verified domain verified",
    () =>
      withSweep(({ add, dns, events, row, verification }) =>
        Effect.gen(function* () {
          const id = yield* add("a.example", { dns_status: "manual" })
          const silence = says("timeout")
          dns.set("a.example", (questions, depth) =>
            Effect.map(silence(questions, depth), (seen) => ({
              ...seen,
              asked: seen.asked.map((each) => ({
                ...each,
                resolvers: each.authorities.map(({ said }) => ({ server: "203.0.113.1", said }))
              }))
            }))
          )
          yield* verification.verify(id)
          expect(yield* row(id)).toMatchObject({ dns_status: "manual", observed_at: null })
          dns.set("a.example", ["203.0.113.9"])
          yield* verification.verify(id)
          expect(yield* row(id)).toMatchObject({
            dns_status: "manual",
            findings: [{ code: "points_elsewhere" }, { code: "www_elsewhere" }]
          })
          dns.set("a.example", [ours])
          yield* verification.verify(id)
          dns.set("a.example", ["203.0.113.9"])
          for (const [status, mismatches] of [
            ["verified", 1],
            ["verified", 2],
            ["error", 3],
            ["error", 3]
          ] as const) {
            yield* verification.verify(id)
            expect(yield* row(id)).toMatchObject({ dns_status: status, mismatches, status: "active" })
          }
          expect((yield* events).map(({ dns_status, type }) => `${type} ${dns_status}`)).toEqual([
            "domain.changed pending_verification",
            "domain.changed manual",
            "domain.changed pending_verification",
            "domain.changed manual",
            "domain.changed pending_verification",
            "domain.verified verified",
            "domain.failed error",
            "domain.changed pending_verification",
            "domain.changed error"
          ])
          expect(yield* verification.verify(4711)).toBeUndefined()
        })
      ),
    120_000
  )

  it.live(
    "with an unchanged result writes nothing",
    () =>
      withSweep(({ add, sql, verification }) =>
        Effect.gen(function* () {
          const id = yield* add("a.example")
          yield* verification.verify(id)
          const lines = () =>
            sql<{
              x: string
            }>`select id, xmin::text as x from dns_verifier.domain union all select id, xmin::text from dns_verifier.record order by 1, 2`
          const before = yield* lines()
          expect((yield* verification.verify(id))!.asked[0]!.authorities[0]!.said.values).toEqual([ours])
          expect(yield* lines()).toEqual(before)
        })
      ),
    120_000
  )

  it.live(
    "of a dead process is ended by the sweep",
    () =>
      withSweep(({ add, dns, row, start }) =>
        Effect.gen(function* () {
          const id = yield* add("a.example", { dns_status: "pending_verification", observed_at: new Date() })
          const failed = yield* add("b.example", {
            dns_status: "pending_verification",
            status: "active",
            mismatches: 3,
            observed_at: new Date()
          })
          dns.otherwise("servfail")
          yield* start
          yield* until(
            "it is freed",
            Effect.map(row(id), ({ dns_status }) => dns_status === "manual")
          )
          yield* until(
            "the other is in error as before",
            Effect.map(row(failed), ({ dns_status }) => dns_status === "error")
          )
        })
      ),
    120_000
  )
})
