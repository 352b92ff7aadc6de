import { expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import { until } from "#support/Frame.ts"
import { connected, inbound, seeded, switchboard, told, watching } from "./Switchboard.ts"

const count = (events: Effect.Effect<ReadonlyArray<unknown>, unknown>, wanted: number) =>
  until(
    `${wanted} are told`,
    Effect.map(events, (found) => found.length >= wanted)
  )

it.live("a call that comes in is told once when it rings, is taken and ends, with who calls", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { double, sql } = yield* switchboard()
      yield* seeded(sql)
      const call = inbound(double, "0305550", "0171 2345678".replace(" ", ""))
      yield* call.rings
      yield* call.rings
      yield* call.phone("CHANNEL_CREATE", "1001")
      yield* call.phone("CHANNEL_ANSWER", "1001")
      yield* call.says("CHANNEL_ANSWER")
      yield* call.ends("NORMAL_CLEARING")
      yield* count(told(sql, "call."), 3)
      // Calls that do not count as incoming: an unknown number, an outgoing call, a foreign context.
      for (const [called, more] of [
        ["+4940999", {}],
        ["+49305550", { "Call-Direction": "outbound" }],
        ["+49305550", { "Caller-Context": "default" }]
      ] as const) {
        yield* inbound(double, called, "x").says("CHANNEL_CREATE", more)
      }
      // A known caller who hides the number: it is still in the events of the switch.
      const hidden = inbound(double, "+49305550", "+491712345678")
      yield* hidden.says("CHANNEL_CREATE", { "Caller-Privacy-Hide-Number": "true" })
      yield* hidden.ends("ORIGINATOR_CANCEL")
      // A caller whom a filter rejects rings on no screen.
      yield* sql`insert into sip_config.call_filter (tenant_id, name, type, pattern)
        values (7, 'No', 'blacklist', '+4366*')`
      const rejected = inbound(double, "+49305550", "+4366012345")
      yield* rejected.rings
      yield* rejected.ends("CALL_REJECTED")
      yield* until(
        "the rejected call is recorded",
        Effect.map(sql`select 1 from sip_config.call where id = ${rejected.id}`, ({ length }) => length === 1)
      )
      yield* count(told(sql, "call.ended"), 2)
      const events = yield* told(sql, "call.")
      expect(events).toEqual([
        expect.objectContaining({
          type: "call.incoming",
          tenant: 7,
          call_id: call.id,
          caller_id: "+491712345678",
          did_number: "+49305550",
          customer: { name: "Bäckerei", number: "K-17", locale: "de-AT" }
        }),
        expect.objectContaining({ type: "call.answered", call_id: call.id, extension: "1001" }),
        expect.objectContaining({ type: "call.ended", call_id: call.id, answered: true, cause: "NORMAL_CLEARING" }),
        expect.objectContaining({ type: "call.incoming", caller_id: "anonymous", customer: null }),
        expect.objectContaining({ type: "call.ended", answered: false, cause: "ORIGINATOR_CANCEL", duration: 0 })
      ])
      expect(yield* sql`select state, extension, customer_id from sip_config.call order by seq`).toEqual([
        { state: "ended", extension: "1001", customer_id: 1 },
        { state: "ended", extension: null, customer_id: null },
        { state: "ended", extension: null, customer_id: null }
      ])
    })
  )
)

it.live("a menu takes a call first, then somebody's phone does", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { double, sql } = yield* switchboard()
      yield* seeded(sql)
      const call = inbound(double, "+49305550", "+4930999999")
      yield* call.rings
      yield* call.says("CHANNEL_ANSWER")
      yield* call.phone("CHANNEL_ANSWER", "1002")
      yield* call.phone("CHANNEL_ANSWER", "1003")
      yield* call.ends("NORMAL_CLEARING")
      yield* count(told(sql, "call.ended"), 1)
      expect((yield* told(sql, "call.answered")).map(({ extension }) => extension)).toEqual([null, "1002"])
    })
  )
)

it.live("calls of the tenant's own phones are kept and not told", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { double, sql } = yield* switchboard()
      const from = { "Caller-Context": "tenant-7" }
      yield* inbound(double, "01712345678", "1001").says("CHANNEL_CREATE", from)
      yield* inbound(double, "1002", "1001").says("CHANNEL_CREATE", from)
      const rows = sql`select tenant_id, direction, caller_id, destination from sip_config.call order by seq`
      yield* count(rows, 2)
      expect(yield* rows).toEqual([
        { tenant_id: 7, direction: "outbound", caller_id: "1001", destination: "+491712345678" },
        { tenant_id: 7, direction: "internal", caller_id: "1001", destination: "1002" }
      ])
      expect(yield* told(sql, "call.")).toEqual([])
    })
  )
)

it.live(
  "what ended while nobody listened is ended when the switch is back: after a flap, a death and a half-open connection",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        // Only probes notice the half-open connection. A busy machine must not miss their answers.
        const { component, double, sql } = yield* switchboard({
          probeInterval: Duration.millis(200),
          probeTimeout: Duration.seconds(4)
        })
        yield* seeded(sql)
        for (const [cut, mend] of [
          [double.disconnect, Effect.void],
          [double.pause, double.resume],
          [double.kill, double.restart]
        ] as const) {
          const stays = inbound(double, "+49305550", "+4930111111")
          const goes = inbound(double, "+49305550", "+4930222222")
          yield* stays.rings
          yield* goes.rings
          yield* until(
            "both ring",
            Effect.map(
              sql`select 1 from sip_config.call where id in (${stays.id}, ${goes.id})`,
              ({ length }) => length === 2
            )
          )
          const before = double.commands.length
          yield* cut
          double.existing.delete(goes.id)
          if (cut !== double.disconnect)
            yield* until(
              "it is missed",
              Effect.map(component, ({ detail }) => detail !== undefined)
            )
          yield* mend
          yield* connected({ component })
          yield* until(
            "it was asked for both",
            Effect.sync(
              () => double.commands.slice(before).filter((command) => command.startsWith("api uuid_exists")).length >= 2
            ),
            20
          )
          yield* until(
            "the one is over",
            Effect.map(
              sql<{ id: string }>`select id from sip_config.call where state = 'ended' and cause = 'LOST'`,
              (rows) => rows.some(({ id }) => id === goes.id)
            )
          )
          expect(yield* sql`select state from sip_config.call where id = ${stays.id}`).toEqual([{ state: "ringing" }])
          // The connection works again.
          yield* stays.ends("NORMAL_CLEARING")
          yield* until(
            "the other ends",
            Effect.map(
              sql`select 1 from sip_config.call where id = ${stays.id} and cause = 'NORMAL_CLEARING'`,
              ({ length }) => length === 1
            )
          )
        }
        expect((yield* told(sql, "call.ended")).map(({ cause }) => cause)).toEqual([
          "LOST",
          "NORMAL_CLEARING",
          "LOST",
          "NORMAL_CLEARING",
          "LOST",
          "NORMAL_CLEARING"
        ])
      })
    ),
  120_000
)

it.live(
  "twenty flaps one after the other lose no call, tell nothing twice, and leave one connection",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { component, double, sql } = yield* switchboard({
          reconnecting: { ...Backoff.standard, name: "switch", max: Duration.millis(200) }
        })
        yield* seeded(sql)
        const calls = Array.from({ length: 20 }, () => inbound(double, "+49305550", "+4930111111"))
        const goes = (index: number) => index % 2 === 1
        for (const [index, call] of calls.entries()) {
          yield* call.rings
          yield* until(
            "it is kept",
            Effect.map(sql`select 1 from sip_config.call where id = ${call.id}`, ({ length }) => length === 1)
          )
          yield* double.disconnect
          // Some calls end while nobody is connected.
          if (goes(index)) double.existing.delete(call.id)
          yield* until(
            "it is missed",
            Effect.map(component, ({ detail }) => detail !== undefined)
          )
          yield* connected({ component })
        }
        for (const [index, call] of calls.entries()) if (!goes(index)) yield* call.ends("NORMAL_CLEARING")
        yield* count(told(sql, "call.ended"), calls.length)
        const causes = new Map((yield* told(sql, "call.ended")).map(({ call_id, cause }) => [call_id, cause]))
        expect(calls.map(({ id }) => causes.get(id))).toEqual(
          calls.map((_, index) => (goes(index) ? "LOST" : "NORMAL_CLEARING"))
        )
        expect((yield* told(sql, "call.")).map(({ type }) => type).sort()).toEqual([
          ...calls.map(() => "call.ended"),
          ...calls.map(() => "call.incoming")
        ])
        expect(double.clients).toBe(1)
      })
    ),
  120_000
)

it.live("a process that takes over ends what its predecessor saw ring, and tells nothing twice", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { database, double, sql } = yield* switchboard()
      yield* seeded(sql)
      const [stays, goes] = [inbound(double, "+49305550", "+4930111111"), inbound(double, "+49305550", "+4930222222")]
      yield* stays.rings
      yield* goes.rings
      yield* count(told(sql, "call.incoming"), 2)
      double.existing.delete(goes.id)
      yield* connected(yield* watching(double, database))
      yield* count(told(sql, "call.ended"), 1)
      // Both processes are connected again.
      yield* stays.rings
      yield* stays.ends("NO_ANSWER")
      yield* count(told(sql, "call.ended"), 2)
      expect((yield* told(sql, "call.")).map(({ call_id, type }) => [type, call_id === goes.id])).toEqual([
        ["call.incoming", false],
        ["call.incoming", true],
        ["call.ended", true],
        ["call.ended", false]
      ])
    })
  )
)
