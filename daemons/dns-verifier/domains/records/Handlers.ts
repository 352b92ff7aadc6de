import { Effect, Result } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { parseRecordName } from "#protocols/dns/Name.ts"
import { canonicalContent, placeProblem } from "#protocols/dns/RecordContent.ts"
import { RecordsApi, RecordView } from "./Api.ts"
import * as Domains from "../../domain-store/Domains.ts"
import * as RecordList from "../../domain-store/RecordList.ts"
import * as Records from "../../domain-store/Records.ts"
import { RecordFixed } from "../../domain-store/Errors.ts"
import { recordType } from "../../domain-store/Names.ts"
import { requestPlan } from "../../domain-store/PlanRequests.ts"
import { iso, notEmpty, invalid } from "../../domain-store/Requests.ts"
import { awaitOutcome, outcomeFor, outcomeView } from "../../zones/Exports.ts"

/** TTL of a record without one. Unit: seconds. Reason: a correction takes effect within an hour. */
const defaultTtl = 3600

/** Reason of the plan for changed records. */
const changed = "Records of the domain were changed"

/** Converts a record to the answer. */
const view = ({
  checked_at,
  content,
  domain_id,
  id,
  managed,
  name,
  source,
  status,
  ttl,
  type
}: RecordList.Listed): typeof RecordView.Type => ({
  id,
  domain_id,
  source,
  type,
  name,
  content,
  ttl,
  status,
  managed,
  checked_at: iso(checked_at)
})

/** Normalises the requested record, or fails with 422 for the invalid field. */
const wished = Effect.fnUntraced(function* (domain: string, typed: Records.Wish) {
  const type = recordType(typed.type)
  const name = yield* Result.match(parseRecordName(typed.name, domain), {
    onFailure: (problem) => Effect.fail(invalid("payload.name", problem)),
    onSuccess: Effect.succeed
  })
  const misplaced = placeProblem(type, name)
  if (misplaced !== undefined) return yield* invalid("payload.name", misplaced)
  const content = yield* Result.match(canonicalContent(type, typed.content), {
    onFailure: (problem) => Effect.fail(invalid("payload.content", problem)),
    onSuccess: Effect.succeed
  })
  return { type, name, content, ttl: typed.ttl } satisfies Records.Wish
})

/** Row of a record that a user may change. Fails with 409 for mail and foreign records, with 404 for unknown ids. */
const rowOf = Effect.fnUntraced(function* (domain: Domains.Domain, id: string) {
  const listed = yield* RecordList.one(domain, id)
  if (listed.source === "mail")
    return yield* new RecordFixed({
      source: "mail",
      detail: "Mail needs this record. It changes with the mail domain."
    })
  if (listed.source === "foreign") {
    return yield* new RecordFixed({
      source: "foreign",
      detail: "We did not write this record. Change it at the DNS provider."
    })
  }
  const row = (yield* Records.list(domain.id)).find((record) => record.id === RecordList.rowOf(id))
  return row ?? (yield* new NotFound({ detail: "The record does not exist." }))
})

const listed = (domain: Domains.Domain, { id }: Records.Record) =>
  Effect.map(RecordList.one(domain, RecordList.recordId(id)), view)

/** Adds what became of a committed change at the provider. Call outside transactions. */
const withOutcome = Effect.fnUntraced(function* (record: typeof RecordView.Type, wait = 0) {
  const provider = outcomeView(yield* awaitOutcome(record.domain_id, wait))
  // The write may have ended while the request waited.
  const managed = record.managed || (provider.state === "applied" && record.source === "user")
  return { ...record, managed, provider }
})

export const records = Handlers.group(RecordsApi, "records", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      const { items, provider } = yield* orUnavailable(
        inScope(
          Effect.all({ items: Effect.flatMap(Domains.get(params.id), RecordList.all), provider: outcomeFor(params.id) })
        )
      )
      return { items: items.map(view), provider: outcomeView(provider) }
    }),
    show: Effect.fnUntraced(function* ({ params }) {
      return view(
        yield* orUnavailable(
          inScope(Effect.flatMap(Domains.get(params.id), (domain) => RecordList.one(domain, params.record_id)))
        )
      )
    }),
    create: Effect.fnUntraced(function* ({ headers, params, payload, query: { wait } }) {
      const { name: domain } = yield* orUnavailable(inScope(Domains.get(params.id)))
      const wish = yield* wished(domain, { ttl: defaultTtl, ...payload })
      const made = yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "dns.records.create",
          body: { ...payload, domain: params.id },
          response: RecordView,
          create: Effect.gen(function* () {
            const held = yield* Domains.held(params.id)
            // The record was created in this transaction, so it must exist.
            const made = yield* Effect.catchTag(listed(held, yield* Records.create(held, wish)), "NotFound", Effect.die)
            yield* requestPlan(params.id, changed)
            return made
          })
        })
      )
      return yield* withOutcome(made, wait)
    }),
    update: Effect.fnUntraced(function* ({ params, payload, query: { wait } }) {
      yield* notEmpty(payload)
      const made = yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const domain = yield* Domains.held(params.id)
            const before = yield* rowOf(domain, params.record_id)
            const { content, name, ttl, type } = before
            const to = yield* wished(domain.name, { type, name, content, ttl, ...payload })
            const after = yield* Records.update(domain, before, to)
            if (after !== before) yield* requestPlan(domain.id, changed)
            return yield* listed(domain, after)
          })
        )
      )
      return yield* withOutcome(made, wait)
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const domain = yield* Domains.held(params.id)
            yield* Records.remove(domain, yield* rowOf(domain, params.record_id))
            // A plan that is not applied yet may contain the record.
            yield* requestPlan(domain.id, changed)
          })
        )
      )
    })
  })
)
