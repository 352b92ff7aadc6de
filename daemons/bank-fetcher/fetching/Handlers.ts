import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { BankConnections } from "../accounts/Exports.ts"
import { FetchingApi, FetchView, type NewFetch } from "./Api.ts"
import { AccountNotReady } from "./Errors.ts"
import { dayProblem } from "./FetchDays.ts"
import * as FetchStore from "./FetchStore.ts"
import { notReadySentence, stoppedSentence } from "./AccountWords.ts"

/** Fails with 422 for days that do not fit together. */
const checkDays = ({ from_date, to_date }: typeof NewFetch.Type) => {
  const problem = dayProblem({ from: from_date, to: to_date }, new Date().toISOString().slice(0, 10))
  if (problem === undefined) return Effect.void
  const { day, message } = problem
  return Effect.fail(new InvalidRequest({ errors: [{ field: `payload.${day}_date`, message }] }))
}

export const fetches = Handlers.group(
  FetchingApi,
  "fetches",
  Effect.fn(function* (handlers) {
    const connections = yield* BankConnections
    /** Fails with 409 in words. Keys that wait for their passphrase are no obstacle: the fetch waits as well. */
    const ready = (accountId: string) =>
      connections
        .connection(accountId)
        .pipe(
          Effect.asVoid,
          Effect.catchTags({
            KeysLocked: () => Effect.void,
            NotReady: (error) => Effect.fail(new AccountNotReady({ detail: notReadySentence(error) })),
            Stopped: () => Effect.fail(new AccountNotReady({ detail: stoppedSentence }))
          })
        )
    return handlers.handleAll({
      request: Effect.fnUntraced(function* ({ headers, params: { uuid }, payload: given }) {
        const payload = given ?? {}
        yield* checkDays(payload)
        const accountId = uuid.toLowerCase()
        const tenantId = yield* orUnavailable(inScope(FetchStore.tenantOfAccount(accountId)))
        const by = nameOf(yield* Caller)
        return yield* orUnavailable(
          Idempotency.onceAfter({
            key: headers["idempotency-key"],
            endpoint: "bank.fetch",
            body: { accountId, payload },
            response: FetchView,
            before: ready(accountId),
            create: () =>
              Effect.map(
                FetchStore.request({
                  tenantId,
                  accountId,
                  from: payload.from_date ?? null,
                  to: payload.to_date ?? null,
                  orderTypes: payload.order_types ?? null,
                  by
                }),
                FetchStore.view
              )
          })
        )
      }),
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = yield* orUnavailable(inScope(FetchStore.list(filter, before, limit + 1)))
        const items = rows.slice(0, limit).map(FetchStore.view)
        return { items, next_before: rows.length > limit ? items.at(-1)!.seq : null }
      }),
      show: Effect.fnUntraced(function* ({ params: { uuid } }) {
        return FetchStore.view(yield* orUnavailable(inScope(FetchStore.get(uuid.toLowerCase()))))
      })
    })
  })
)
