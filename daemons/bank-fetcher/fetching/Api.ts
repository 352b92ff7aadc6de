import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { isDay } from "./FetchDays.ts"
import { fetchStates, statementOrders } from "./FetchWords.ts"
import { AccountNotReady, TooManyFetches } from "./Errors.ts"

export const FetchState = Schema.Literals(fetchStates)

/** `daily`, `intraday`: by schedule. `manual`: on request. */
export const FetchReason = Schema.Literals(["daily", "intraday", "manual"])

export const StatementOrder = Schema.Literals(statementOrders)

/**
 * - `waiting`: not begun. `downloading`: segments arrive. `storing`: all segments are here; the files are being stored.
 * - `confirming`: the files are durable, and the bank gets the receipt.
 * - `done`: stored. `empty`: the bank has no data. `not_permitted`: the bank does not offer the order type to the user.
 * - `failed`: this attempt failed; `problem` and `code` say why.
 */
export const OrderState = Schema.Literals([
  "waiting",
  "downloading",
  "storing",
  "confirming",
  "done",
  "empty",
  "not_permitted",
  "failed"
])

/** Progress and result of one order type. */
export const OrderView = Schema.Struct({
  order_type: Schema.String,
  state: OrderState,
  /** Number of segments that the bank announced, and of those that arrived; null before the bank answered. */
  segments: Schema.NullOr(Schema.Int),
  segments_received: Schema.Int,
  /** Files of the download, and those of them that were not known before. */
  files: Schema.Int,
  new_files: Schema.Int,
  /** Whether the bank confirmed the receipt; null: no receipt was sent. Otherwise it delivers the data again. */
  confirmed: Schema.NullOr(Schema.Boolean),
  /** Return code of the bank, when it refused: `090003`. */
  code: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BankFetchOrder" })

export const FetchView = Schema.Struct({
  id: Schema.String,
  /** Number for `before` of lists. */
  seq: Schema.Int,
  tenant_id: Schema.Int,
  account_id: Schema.String,
  reason: FetchReason,
  /** Time of the schedule; null for a request. */
  scheduled_for: Schema.NullOr(Schema.String),
  /** Range of days; null: what the bank has not delivered before. */
  from_date: Schema.NullOr(Schema.String),
  to_date: Schema.NullOr(Schema.String),
  state: FetchState,
  orders: Schema.Array(OrderView),
  /** Number of attempts begun. */
  attempts: Schema.Int,
  /** Why the last attempt failed, or what the fetch waits for. */
  problem: Schema.NullOr(Schema.String),
  /** When a waiting fetch tries again; null: as soon as possible. */
  retry_at: Schema.NullOr(Schema.String),
  /** `schedule`, or the caller: `user:12`, `service:3`. */
  requested_by: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BankFetch" })

/** Id of a fetch or an account in a path; another text answers 404. */
export const Uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/)
)

/** A day of the calendar: `2026-11-26`. */
const Day = Schema.String.check(
  Schema.makeFilter((text: string) => (isDay(text) ? undefined : "must be a day such as 2026-11-26"))
)

export const NewFetch = Schema.Struct({
  /** First day; with it the bank delivers old data again. Default: what the bank has not delivered before. */
  from_date: Schema.optionalKey(Day),
  /** Last day. Default: today, in UTC. Needs `from_date`. */
  to_date: Schema.optionalKey(Day),
  /** Default: end-of-day and intraday statements, in camt where the bank offers it. */
  order_types: Schema.optionalKey(boundedList(StatementOrder, { minimum: 1, maximum: StatementOrder.literals.length }))
})

const view = "ebics.view"

/** Endpoints of fetches. */
export const fetches = HttpApiGroup.make("fetches")
  .add(
    HttpApiEndpoint.post("request", "/accounts/:uuid/fetch", {
      params: { uuid: Uuid },
      headers: Idempotency.headers,
      payload: [NewFetch, Schema.Null],
      success: FetchView.pipe(HttpApiSchema.status(202)),
      error: [NotFound, AccountNotReady, TooManyFetches]
    })
      .annotate(Requires, "ebics.fetch")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Fetch statements of an account now",
          description:
            "Needs no body. Answers the fetch, which runs in the background; `GET …/fetches/{uuid}` shows its " +
            "progress. While a requested fetch of the account is waiting, the answer is that fetch, and nothing is " +
            "added. A tenant may request 30 fetches an hour. 409 `account_not_ready`: `detail` says what is " +
            "missing."
        })
      ),
    HttpApiEndpoint.get("list", "/fetches", {
      query: { ...page(), ...inTenant, account_id: Schema.optionalKey(Uuid), state: Schema.optionalKey(FetchState) },
      success: pageOf(FetchView)
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({ summary: "Fetches, newest first", description: "A fetch is kept for 400 days." })
      ),
    HttpApiEndpoint.get("show", "/fetches/:uuid", { params: { uuid: Uuid }, success: FetchView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One fetch with its progress" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics")

export const FetchingApi = Api.make("fetching").add(fetches)
