import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { defaultLimit, skipped } from "../domain-store/FieldSchemas.ts"
import { ZonesApi, PlanView } from "./Api.ts"
import * as Domains from "../domain-store/Domains.ts"
import * as RecordList from "../domain-store/RecordList.ts"
import { apply, discard } from "./PlanState.ts"
import * as PlanStore from "./PlanStore.ts"
import { stepView } from "./PlanView.ts"
import { Zones } from "./Zones.ts"
import { iso, invalid } from "../domain-store/Requests.ts"
import { providerFailed } from "../providers/Exports.ts"

/** Reason of a plan that a user requested. */
const onRequest = "Requested"

const summary = ({
  actor,
  apply_after,
  begun_at,
  created_at,
  domain_id,
  ended_at,
  id,
  problem,
  reason,
  share,
  state,
  warnings,
  zone_sets
}: PlanStore.PlanRow) => ({
  id,
  domain_id,
  reason,
  actor,
  state,
  zone_sets,
  share,
  warnings,
  problem,
  created_at: created_at.toISOString(),
  apply_after: iso(apply_after),
  begun_at: iso(begun_at),
  ended_at: iso(ended_at)
})

/** Converts a plan to the answer. */
const view = ({ steps, ...row }: PlanStore.StoredPlan): typeof PlanView.Type => ({
  ...summary(row),
  steps: steps.map(stepView)
})

/** Caller and address, for the audit log. */
const author = Effect.gen(function* () {
  const caller = yield* Caller
  const { address } = yield* client
  return { actor: nameOf(caller), address }
})

/** Rows of the user records to remove; 422 for other ids. */
const removable = Effect.fnUntraced(function* (domain: Domains.Domain, ids: ReadonlyArray<string>) {
  const all = yield* RecordList.all(domain)
  return yield* Effect.forEach(ids, (id, at) => {
    const row = all.some((record) => record.id === id && record.source === "user") ? RecordList.rowOf(id) : undefined
    return row === undefined
      ? Effect.fail(invalid(`payload.remove[${at}]`, "must be the id of a record that a user added to the domain"))
      : Effect.succeed(row)
  })
})

export const plans = Handlers.group(
  ZonesApi,
  "plans",
  Effect.fn(function* (handlers) {
    const zones = yield* Zones
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ headers, params: { id }, payload: { remove = [] } }) {
        const { domain, removes } = yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const domain = yield* Domains.get(id)
              return { domain, removes: yield* removable(domain, remove) }
            })
          )
        )
        const by = yield* author
        const made = Effect.catchTag(
          zones.plan({ ...by, tenantId: domain.tenant_id, domainId: id, reason: onRequest, remove: removes }),
          "ProviderError",
          (error) => Effect.fail(providerFailed(error))
        )
        return yield* orUnavailable(
          Idempotency.onceAfter({
            key: headers["idempotency-key"],
            endpoint: "dns.plans.create",
            body: { remove, domain: id },
            response: PlanView,
            before: made,
            create: (plan) => Effect.succeed(view(plan))
          })
        )
      }),
      list: Effect.fnUntraced(function* ({ params, query: { limit = defaultLimit, skip = 0 } }) {
        const found = yield* orUnavailable(
          inScope(Effect.andThen(Domains.get(params.id), PlanStore.list(params.id, skip, limit + 1)))
        )
        return skipped(
          found.map((row) => ({ ...summary(row), steps_total: row.steps_total, steps_done: row.steps_done })),
          skip,
          limit
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(ofDomain(params.id, PlanStore.get(params.id, params.plan_id)))))
      }),
      apply: Effect.fnUntraced(function* ({ params, payload }) {
        return view(
          yield* orUnavailable(
            inScope(
              ofDomain(
                params.id,
                Effect.flatMap(author, (by) => apply(params.id, params.plan_id, payload.force ?? false, by))
              )
            )
          )
        )
      }),
      discard: Effect.fnUntraced(function* ({ params }) {
        return view(
          yield* orUnavailable(
            inScope(
              ofDomain(
                params.id,
                Effect.flatMap(author, (by) => discard(params.id, params.plan_id, by))
              )
            )
          )
        )
      })
    })
  })
)

/** Reads the domain first, so that an unknown domain answers 404 for every plan id. */
const ofDomain = <A, E, R>(id: number, effect: Effect.Effect<A, E, R>) => Effect.andThen(Domains.get(id), effect)
