import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as GatewayCallerIds from "#core/telephony/GatewayCallerIds.ts"
import { as, callsOf, startTelephony } from "../Telephony.ts"

it.live("the caller id of a trunk is published for alarm calls, changed with it, and removed with it", () =>
  Effect.gen(function* () {
    const suite = yield* startTelephony()
    const tenant = callsOf(suite, as(2))
    const { id } = yield* tenant.trunk("First", { caller_id: "+4930999" })
    const published = GatewayCallerIds.of(`trunk_${id}`).pipe(Effect.provideService(SqlClient.SqlClient, suite.sql))
    expect(yield* published).toBe("+4930999")
    yield* tenant.put(`trunks/${id}`, { caller_id: "+4930111" })
    expect(yield* published).toBe("+4930111")
    yield* tenant.put(`trunks/${id}`, { name: "Other" })
    expect(yield* published).toBe("+4930111")
    yield* tenant.remove(`trunks/${id}`)
    expect(yield* published).toBeUndefined()
  })
)
