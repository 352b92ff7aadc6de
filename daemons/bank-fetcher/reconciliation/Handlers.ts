import { Effect } from "effect"
import { Caller, inScope, nameOf, tenantOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as HttpHandlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { Forbidden, InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { ReconciliationApi, ReconciliationView } from "./Api.ts"
import * as Batches from "./Batches.ts"
import { BatchView } from "./BatchView.ts"
import { dashboard } from "./Dashboard.ts"
import { defaultDays } from "./DashboardView.ts"
import * as Decisions from "./Decisions.ts"
import { MatchIndexCache } from "./MatchIndexCache.ts"
import { ofAllocations, ofSuggestion } from "./MatchRequest.ts"
import { batchView, recognisedView, reconciliationView, suggestionsOf, suggestionViews } from "./ReconciliationViews.ts"
import { get } from "./TransactionRows.ts"

const author = Effect.map(Effect.all([Caller, client]), ([caller, { address }]): Decisions.Author => ({
  actor: nameOf(caller),
  address
}))

/** Tenant of the request: the caller's own, or the one that a service token names. */
const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return tenantId
})

export const reconciliation = HttpHandlers.group(
  ReconciliationApi,
  "reconciliation",
  Effect.fn(function* (handlers) {
    const { groundFor } = yield* MatchIndexCache
    return handlers.handleAll({
      suggestions: Effect.fnUntraced(function* ({ params, query }) {
        const language = yield* offeredLanguageFor(query.lang)
        const row = yield* orUnavailable(inScope(get(params.uuid)))
        const isOpen = row.current && (row.status === "unmatched" || row.status === "suggested")
        const ground = isOpen ? yield* orUnavailable(groundFor(row.tenantId)) : undefined
        return yield* orUnavailable(
          inScope(
            Effect.gen(function* () {
              const found = ground === undefined ? [] : yield* suggestionsOf(row, ground)
              return {
                ...(yield* reconciliationView(row, language)),
                recognised: ground === undefined ? null : recognisedView(row, ground, language),
                suggestions: yield* suggestionViews(row, found, language)
              }
            })
          )
        )
      }),
      reconcile: Effect.fnUntraced(function* ({ headers, params, payload, query }) {
        if ((payload.allocations === undefined) === (payload.suggestion === undefined))
          return yield* new InvalidRequest({
            errors: [{ field: "payload", message: "must have either allocations or suggestion" }]
          })
        const language = yield* offeredLanguageFor(query.lang)
        const by = yield* author
        const known = yield* orUnavailable(inScope(get(params.uuid)))
        const ground = payload.suggestion === undefined ? undefined : yield* orUnavailable(groundFor(known.tenantId))
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "bank.transactions.reconcile",
            body: { ...payload, uuid: params.uuid },
            response: ReconciliationView,
            create: Effect.gen(function* () {
              const row = yield* Decisions.lockOpen(params.uuid)
              const wanted =
                ground === undefined
                  ? yield* ofAllocations(row, payload)
                  : yield* ofSuggestion(row, yield* suggestionsOf(row, ground), payload)
              yield* Decisions.match(row, wanted, by)
              return yield* reconciliationView(yield* get(params.uuid), language)
            })
          })
        )
      }),
      ignore: Effect.fnUntraced(function* ({ params, payload, query }) {
        const language = yield* offeredLanguageFor(query.lang)
        const change = Decisions.ignore(params.uuid, payload?.reason ?? null, yield* author)
        return yield* orUnavailable(
          inScope(
            Effect.andThen(
              change,
              Effect.flatMap(get(params.uuid), (row) => reconciliationView(row, language))
            )
          )
        )
      }),
      undo: Effect.fnUntraced(function* ({ params, query }) {
        const language = yield* offeredLanguageFor(query.lang)
        const change = Decisions.undo(params.uuid, yield* author)
        return yield* orUnavailable(
          inScope(
            Effect.andThen(
              change,
              Effect.flatMap(get(params.uuid), (row) => reconciliationView(row, language))
            )
          )
        )
      }),
      startBatch: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload?.tenant_id)
        const { actor, address } = yield* author
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "bank.reconcile.batch",
            body: payload ?? {},
            response: BatchView,
            create: Effect.map(Batches.start(tenantId, actor, address), batchView)
          })
        )
      }),
      batches: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, tenant_id } }) {
        const rows = yield* orUnavailable(inScope(Batches.list(tenant_id, before, limit + 1)))
        return {
          items: rows.slice(0, limit).map(batchView),
          next_before: rows.length > limit ? rows[limit - 1]!.seq : null
        }
      }),
      batch: Effect.fnUntraced(function* ({ params }) {
        return batchView(yield* orUnavailable(inScope(Batches.get(params.uuid))))
      }),
      dashboard: Effect.fnUntraced(function* ({ query }) {
        const tenantId = yield* ownerOf(query.tenant_id)
        return yield* orUnavailable(inScope(dashboard(tenantId, query.days ?? defaultDays)))
      })
    })
  })
)
