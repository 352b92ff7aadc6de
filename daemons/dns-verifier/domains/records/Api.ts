import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { RecordStatus } from "#core/contracts/MailDomains.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { recordTypes } from "#protocols/dns/RecordContent.ts"
import { CnameConflict, ProviderManaged, RecordFixed, RecordTaken } from "../../domain-store/Errors.ts"
import { maxTyped, typeProblem } from "../../domain-store/Names.ts"
import { whole } from "../../domain-store/FieldSchemas.ts"
import { OutcomeView } from "../../zones/Exports.ts"

/** A type of RecordContent.ts; the refusal of another type names the reason. */
const RecordType = Schema.String.check(
  Schema.isMaxLength(16),
  Schema.makeFilter((text: string) => typeProblem(text))
)

/**
 * `platform`: points to the platform; `user`: requested by a user; `mail`: needed by mail; `foreign`: written into the
 * zone by a third party.
 */
export const RecordSource = Schema.Literals(["platform", "user", "mail", "foreign"])

const recordFields = {
  /** Opaque. */
  id: Schema.String,
  domain_id: Schema.Int,
  source: RecordSource,
  /** Any type, for foreign records. */
  type: Schema.String,
  /** Relative to the domain; `@`: the domain itself. */
  name: Schema.String,
  /** Host names without a final dot; a TXT as one text without quotes. */
  content: Schema.String,
  /** Unit: seconds; null: the zone's default. */
  ttl: Schema.NullOr(Schema.Int),
  /** Result of the last DNS check; `unknown` before the first. */
  status: RecordStatus,
  /** Whether we wrote it into the provider's zone. */
  managed: Schema.Boolean,
  checked_at: Schema.NullOr(Schema.String)
}

export const RecordView = Schema.Struct(recordFields).annotate({ identifier: "DnsRecord" })

/** A record that was added or changed, and what became of it at the provider. */
export const ChangedRecord = Schema.Struct({ ...recordFields, provider: OutcomeView }).annotate({
  identifier: "ChangedDnsRecord"
})

/** Longest wait for the write. Unit: seconds. Reason: proxies end requests after a minute. */
const maxWait = 30

/** `wait`: seconds that the answer may wait for the write. */
const waiting = { wait: Schema.optionalKey(whole(0, maxWait)) }

/** Unit: UTF-16 units. Reason: 253 octets and a final dot. */
const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxTyped))
/** Unit: UTF-16 units. Reason: a DKIM key of 4096 bits takes 750, and providers accept about this length at most. */
const Content = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4096))
/** Unit: seconds. Reason: providers accept a minute or more, and resolvers cache for a week at most. */
const Ttl = Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 604_800 }))

const params = { id: Id }
/** Id from the list of records. */
const RecordId = Schema.String.check(Schema.isPattern(/^[a-z]\d{1,10}$|^[a-z][0-9a-f]{24}$/))
const one = { id: Id, record_id: RecordId }
const manage = "dns.manage"

const reaches =
  "In a managed domain the change reaches the provider by itself, by a plan that touches no records of third " +
  "parties. `provider` tells what happened. Changes in a row become one plan. With `wait` (seconds, at most 30) the " +
  "answer waits until the plan is applied."

export const records = HttpApiGroup.make("records")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params,
      success: Schema.Struct({
        items: Schema.Array(RecordView),
        /** What became of the latest change at the provider. */
        provider: OutcomeView
      }),
      error: NotFound
    })
      .annotate(Requires, "dns.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "DNS records of a domain",
          description:
            "The records that the platform, users and mail require. For a managed domain also the other records of " +
            "the zone, as last read."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      params,
      query: waiting,
      headers: Idempotency.headers,
      payload: Schema.Struct({ type: RecordType, name: Name, content: Content, ttl: Schema.optionalKey(Ttl) }),
      success: ChangedRecord.pipe(HttpApiSchema.status(201)),
      error: [NotFound, RecordTaken, CnameConflict, RecordFixed]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a DNS record",
          description:
            "`type`: one of " +
            recordTypes.join(", ") +
            "; NS and SOA belong to the provider. `name`: relative to the domain or in full; `@`: the domain itself. " +
            "`ttl`: seconds, default 3600. 409 `cname_conflict`: a CNAME must be the only record of its name. 409 " +
            "`record_fixed`: the name has records of the platform. " +
            reaches
        })
      ),
    HttpApiEndpoint.get("show", "/:record_id", { params: one, success: RecordView, error: NotFound })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "One DNS record" })),
    HttpApiEndpoint.put("update", "/:record_id", {
      params: one,
      query: waiting,
      payload: Schema.Struct({
        type: Schema.optionalKey(RecordType),
        name: Schema.optionalKey(Name),
        content: Schema.optionalKey(Content),
        ttl: Schema.optionalKey(Ttl)
      }),
      success: ChangedRecord,
      error: [NotFound, RecordTaken, CnameConflict, RecordFixed]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a DNS record",
          description:
            "Requires at least one field; absent fields stay unchanged. 409 `record_fixed`: the record belongs to " +
            "the platform, to mail or to a third party. " +
            reaches
        })
      ),
    HttpApiEndpoint.delete("remove", "/:record_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: [NotFound, RecordFixed, ProviderManaged]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a DNS record",
          description:
            "409 `provider_managed`: the record is in the zone at the provider. Create a plan with its id in " +
            "`remove`, and apply the plan."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/domains/:id/records")

export const RecordsApi = Api.make("records").add(records)
