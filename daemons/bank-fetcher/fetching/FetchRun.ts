/**
 * One attempt of a fetch: the order types of its plan, one after the other. An order type that an earlier attempt
 * fetched
 * is not fetched again.
 */
import { Duration, Effect, Result } from "effect"
import type * as DownloadRequests from "#protocols/ebics/DownloadRequests.ts"
import { type Connection, connection } from "../accounts/Exports.ts"
import { keepFiles, type KeptFile } from "../statements/Exports.ts"
import type { Failure } from "./FetchDecision.ts"
import { type Attempt, progressed } from "./FetchProgress.ts"
import type { FetchRow, Order } from "./FetchStore.ts"
import { type Candidate, plannedOrders } from "./OrderPlan.ts"
import { keysChanged, resultOf, resultOfError } from "./OrderResult.ts"
import { download } from "./StatementDownload.ts"

/** How long an attempt may take. Unit: minutes. Reason: the claim of a job expires after 15. */
export const maxAttempt = Duration.minutes(10)

/** Result of an attempt that reached its end. `problem`: a remark that is no failure. */
export type Ran =
  | { readonly _tag: "Succeeded"; readonly newFiles: boolean; readonly problem: string | null }
  | { readonly _tag: "Failed"; readonly failure: Failure }

/** Runs the attempt. `patience`: longest wait for one answer of the bank. */
export const run = (attempt: Attempt, patience: Duration.Duration) =>
  Effect.gen(function* () {
    const { fetch } = attempt
    let line = yield* connection(fetch.account_id)
    const plan = plannedOrders({
      reason: fetch.reason,
      version: line.subscriber.version,
      requested: fetch.order_types,
      chosen: line.orderTypes,
      permitted: line.permitted
    })
    const book = new OrderBook(attempt)
    let keysAsked = false
    const failures: Array<Failure> = []
    for (const group of plan) {
      for (const { order, service } of group) {
        if (book.isFetched(order)) break
        if (book.isRefused(order)) continue
        let result = yield* fetchOrder(line, attempt, book, { order, service }, patience)
        if (result.keysInDoubt && !keysAsked) {
          keysAsked = true
          const answer = yield* keysRefused(line, patience)
          if (answer === "stopped") return failed(keysChanged)
          if (answer === "retry") {
            line = yield* connection(fetch.account_id)
            result = yield* fetchOrder(line, attempt, book, { order, service }, patience)
          }
        }
        if (result.failure === undefined) {
          if (book.isFetched(order)) break
          continue
        }
        if (result.general) return failed(result.failure)
        failures.push(result.failure)
        break
      }
    }
    const [failure] = failures
    if (failure !== undefined) return failed(failure)
    const missing = plan.filter((group) => group.every(({ order }) => book.isRefused(order)))
    const names = missing.map((group) => group.map(({ order }) => order).join(" or ")).join(" and ")
    const remark = missing.length === 0 ? null : `The bank does not offer the user ${names}.`
    // Many banks have no intraday statements.
    if (remark !== null && missing.length === plan.length && fetch.reason !== "intraday")
      return failed({ problem: remark, code: null, repeatable: false, outage: fetch.reason === "daily" })
    return {
      _tag: "Succeeded",
      newFiles: book.orders.some(({ new_files }) => new_files > 0),
      problem: plan.length === 0 ? "No order types of this kind are chosen for the account." : remark
    } satisfies Ran as Ran
  }).pipe(
    Effect.timeoutOrElse({
      duration: maxAttempt,
      orElse: () =>
        Effect.succeed(
          failed({
            problem: `The fetch did not end within ${Duration.toMinutes(maxAttempt)} minutes.`,
            code: null,
            repeatable: true,
            outage: true
          })
        )
    })
  )

/** Asks the bank for its keys. A bank that does not answer now is asked again by the next attempt. */
const keysRefused = (line: Connection, patience: Duration.Duration) =>
  Effect.timeoutOrElse(line.bankKeysRefused, { duration: patience, orElse: () => Effect.succeed("unchanged" as const) })

const failed = (failure: Failure): Ran => ({ _tag: "Failed", failure })

/** Fetches one order type and records its steps. */
const fetchOrder = Effect.fnUntraced(function* (
  line: Connection,
  attempt: Attempt,
  book: OrderBook,
  candidate: Candidate,
  patience: Duration.Duration
) {
  const { fetch } = attempt
  const step = (change: Partial<Order>) => book.record(candidate.order, change)
  // Files that an earlier attempt stored are duplicates now.
  const before = book.newFiles(candidate.order)
  yield* step({ ...fresh, state: "downloading", new_files: before })
  const downloaded = yield* Effect.result(
    download(
      line,
      orderOf(candidate, fetch),
      {
        received: (segments, segments_received) => step({ segments, segments_received }),
        storing: step({ state: "storing" }),
        store: (bytes) =>
          Effect.mapError(
            keepFiles({
              tenantId: fetch.tenant_id,
              accountId: fetch.account_id,
              source: "ebics",
              orderType: candidate.order,
              name: nameOf(candidate, fetch),
              bytes
            }),
            ({ message }) => ({ message, repeatable: true })
          ),
        confirming: (kept) => step({ state: "confirming", ...counts(kept, before) })
      },
      patience
    )
  )
  const error = Result.isFailure(downloaded) ? downloaded.failure : undefined
  if (error?._tag === "SqlError" || error?._tag === "Superseded") return yield* Effect.fail(error)
  const result = Result.isSuccess(downloaded)
    ? resultOf(downloaded.success, fetch.reason === "manual" && fetch.from_date !== null)
    : resultOfError(error!)
  yield* step(result.change)
  return result
})

/** Results of the order types, of this attempt and of earlier ones. */
class OrderBook {
  orders: ReadonlyArray<Order>
  readonly #attempt: Attempt

  constructor(attempt: Attempt) {
    this.#attempt = attempt
    this.orders = attempt.fetch.orders
  }

  isFetched(order: string): boolean {
    const state = this.#find(order)?.state
    return state === "done" || state === "empty"
  }

  isRefused(order: string): boolean {
    return this.#find(order)?.state === "not_permitted"
  }

  newFiles(order: string): number {
    return this.#find(order)?.new_files ?? 0
  }

  record(order: string, change: Partial<Order>) {
    const now: Order = { ...fresh, ...this.#find(order), ...change, order_type: order }
    const isKnown = this.#find(order) !== undefined
    this.orders = isKnown ? this.orders.map((one) => (one.order_type === order ? now : one)) : [...this.orders, now]
    return progressed(this.#attempt, this.orders)
  }

  #find(order: string): Order | undefined {
    return this.orders.find(({ order_type }) => order_type === order)
  }
}

const fresh = {
  state: "waiting",
  segments: null,
  segments_received: 0,
  files: 0,
  new_files: 0,
  confirmed: null,
  code: null,
  problem: null
} as const

const counts = (kept: ReadonlyArray<KeptFile>, before: number) => ({
  files: kept.length,
  new_files: before + kept.filter(({ duplicate }) => !duplicate).length
})

const orderOf = ({ order, service }: Candidate, fetch: FetchRow): DownloadRequests.Order => ({
  _tag: "Statements",
  order,
  service,
  ...(fetch.from_date === null
    ? {}
    : { range: { start: fetch.from_date, end: fetch.to_date ?? new Date().toISOString().slice(0, 10) } })
})

/** Name of the data as fetched; the files of a ZIP file have names of their own. */
const nameOf = ({ order }: Candidate, { id }: FetchRow) => `${order}-${new Date().toISOString().slice(0, 10)}-${id}`
