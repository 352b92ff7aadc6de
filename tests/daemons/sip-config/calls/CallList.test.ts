import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listing } from "#daemons/sip-config/calls/CallList.ts"
import { as, callsOf, startTelephony } from "../Telephony.ts"

const calls = 100_000

it.live("calls of a number are found however it is written, by either side, in the tenant alone", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      const { sql } = suite
      const insert = (
        tenant: number,
        callerId: string,
        did: string | null,
        destination: string | null,
        extension: string | null
      ) =>
        sql`insert into sip_config.call (id, tenant_id, direction, caller_id, did_number, destination, extension, state, started_at)
        values (gen_random_uuid(), ${tenant}, 'inbound', ${callerId}, ${did}, ${destination}, ${extension}, 'ended', now())`
      yield* insert(7, "+49171234567", "+49305550", null, "1001")
      yield* insert(7, "1001", null, "+49171234567", null)
      yield* insert(7, "anonymous", "+4930123456789", null, null)
      yield* insert(8, "+49171234567", "+49305550", null, null)
      const seen = (number: string) =>
        Effect.map(callsOf(suite, as(7)).get(`calls?number=${encodeURIComponent(number)}`), ({ json, text }) => {
          expect(json.items, text).toBeDefined()
          return json.items.map(({ caller_id }: any) => caller_id)
        })
      for (const [number, found] of [
        ["0305550", ["+49171234567"]],
        ["030 5550", ["+49171234567"]],
        ["+49305550", ["+49171234567"]],
        ["0049305550", ["+49171234567"]],
        ["(030) 55-50", ["+49171234567"]],
        ["0171 234567", ["1001", "+49171234567"]],
        ["1001", ["1001", "+49171234567"]],
        ["030123456789", ["anonymous"]],
        ["30123456789", ["anonymous"]],
        ["5550", []],
        ["+43305550", []]
      ] as const)
        expect([number, yield* seen(number)]).toEqual([number, found])
    })
  )
)

it.live(
  `of ${calls.toLocaleString("en")} calls those of a number are found by indexes, as a tenant, too`,
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { sql } = yield* startTelephony()
        yield* sql`insert into sip_config.call (id, tenant_id, direction, caller_id, did_number, state, started_at)
      select gen_random_uuid(), 7 + n % 2, 'inbound', '+49171' || (1000000 + n), '+4930555' || n % 500, 'ended', now() from generate_series(1, ${calls}::int) n`
        yield* sql`analyze sip_config.call`
        const plan = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`set local role signalbox_tenant`
            yield* sql`select set_config('app.tenant', '7', true)`
            const rows = yield* sql<{
              "QUERY PLAN": string
            }>`explain (analyze, buffers) ${listing(sql, { number: "0171 1050000" }, "DE", undefined, 51)}`
            return rows.map((row) => row["QUERY PLAN"]).join("\n")
          })
        )
        for (const index of ["call_caller_id_tail", "call_did_number_tail", "call_destination_tail", "call_extension"])
          expect(plan).toContain(index)
        expect(plan).not.toMatch(/Seq Scan on call|call_list/)
      })
    ),
  120_000
)
