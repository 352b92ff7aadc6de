/** Walks over every operation of sip-config, as two tenants and with invalid input. */
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { startTelephony } from "./Telephony.ts"
import { callCases } from "./walk/CallCases.ts"
import { dataCases } from "./walk/DataCases.ts"
import { routeCases } from "./walk/RouteCases.ts"

walked(
  "sip-config",
  Effect.gen(function* () {
    const suite = yield* startTelephony()
    yield* distinctIds(suite, "sip_config", [
      "sip_domain.id",
      "extension.id",
      "trunk.id",
      "did.id",
      "line.id",
      "ring_group.id",
      "call_filter.id",
      "ivr_menu.id",
      "voicemail_box.id",
      "external_number.id",
      "customer.id",
      "customer_import.id",
      "call.seq"
    ])
    return {
      suite,
      schema: "sip_config",
      // An import continues after its answer.
      settled: until(
        "all files are through",
        Effect.map(
          suite.sql`select 1 from sip_config.customer_import where state <> 'finished'`,
          ({ length }) => length === 0
        )
      ).pipe(Effect.orDie),
      cases: { ...dataCases(suite), ...callCases(suite), ...routeCases(suite) },
      ...(yield* fakeCallers(suite))
    }
  })
)
