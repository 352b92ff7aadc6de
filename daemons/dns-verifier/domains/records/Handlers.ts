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
import { iso, notEmpty, invalid } from "../../domain-store/Requests.ts"

/** TTL of a record without one. Unit: seconds. Reason: a correction takes effect within an hour. */
const defaultTtl = 3600

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

export const records = Handlers.group(RecordsApi, "records", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      return {
        items: (yield* orUnavailable(inScope(Effect.flatMap(Domains.get(params.id), RecordList.all)))).map(view)
      }
    }),
    show: Effect.fnUntraced(function* ({ params }) {
      return view(
        yield* orUnavailable(
          inScope(Effect.flatMap(Domains.get(params.id), (domain) => RecordList.one(domain, params.record_id)))
        )
      )
    }),
    create: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const { name: domain } = yield* orUnavailable(inScope(Domains.get(params.id)))
      const wish = yield* wished(domain, { ttl: defaultTtl, ...payload })
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "dns.records.create",
          body: { ...payload, domain: params.id },
          response: RecordView,
          create: Effect.gen(function* () {
            const held = yield* Domains.held(params.id)
            // The record was created in this transaction, so it must exist.
            return yield* Effect.catchTag(listed(held, yield* Records.create(held, wish)), "NotFound", Effect.die)
          })
        })
      )
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      yield* notEmpty(payload)
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const domain = yield* Domains.held(params.id)
            const before = yield* rowOf(domain, params.record_id)
            const { content, name, ttl, type } = before
            const to = yield* wished(domain.name, { type, name, content, ttl, ...payload })
            return yield* listed(domain, yield* Records.update(domain, before, to))
          })
        )
      )
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const domain = yield* Domains.held(params.id)
            yield* Records.remove(domain, yield* rowOf(domain, params.record_id))
          })
        )
      )
    })
  })
)
