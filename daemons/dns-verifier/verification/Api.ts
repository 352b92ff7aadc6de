import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { DnsStatus } from "#core/contracts/Domains.ts"
import { RecordStatus } from "#core/contracts/MailDomains.ts"
import { inLanguage } from "#core/words/InLanguage.ts"
import * as Api from "#core/http/Api.ts"
import { Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Observation } from "./observe/Observation.ts"
import { domainFields } from "../domain-store/DomainView.ts"

/** Result of a check as a sentence for the domain's owner. */
export const FindingView = Schema.Struct({
  /** Stable, for programs. */
  code: Schema.String,
  severity: Schema.Literals(["info", "warning", "error"]),
  /** The record concerned, if it is one; `@`: the domain itself. */
  record: Schema.NullOr(Schema.Struct({ type: Schema.String, name: Schema.String })),
  /** One or more sentences. */
  text: Schema.String
}).annotate({ identifier: "DnsFinding" })

export const RequiredRecord = Schema.Struct({
  type: Schema.String,
  /** Relative to the domain; `@`: the domain itself. */
  name: Schema.String,
  /** A TXT as one text without quotes; an MX with its preference: `10 mail.example.org`. */
  content: Schema.String,
  status: RecordStatus,
  /** Current contents in DNS. */
  found: Schema.Array(Schema.String)
}).annotate({ identifier: "RequiredDnsRecord" })

export const DnsInstructions = Schema.Struct({
  domain: Schema.String,
  dns_status: DnsStatus,
  detected_provider: Schema.NullOr(Schema.String),
  required_records: Schema.Array(RequiredRecord),
  /** `2 of 3 records are correct`. */
  verification_status: Schema.String,
  /** Records for mail, if the domain has its mail here. */
  mail_records: Schema.Array(RequiredRecord),
  /** All records as lines of a zone file (RFC 1035 §5), ready to copy. */
  zone_snippet: Schema.String,
  /** Instructions for the detected provider, one sentence each. */
  steps: Schema.Array(Schema.String),
  findings: Schema.Array(FindingView),
  /** Time of the DNS queries. */
  observed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DnsInstructions" })

export const CheckView = Schema.Struct({
  domain_id: Schema.Int,
  domain: Schema.String,
  dns_status: DnsStatus,
  status: Schema.Literals(["pending", "active"]),
  /** Consecutive checks that found a verified domain elsewhere. */
  mismatches: Schema.Int,
  /** Interval of the checks. Unit: minutes. */
  check_every: Schema.Int,
  findings: Schema.Array(FindingView),
  /** The last check that found a change; null before the first. */
  observation: Schema.NullOr(Observation),
  observed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DnsCheck" })

export const VerifyResult = Schema.Struct({
  ...domainFields,
  /** Whether the A record points to the platform. */
  verified: Schema.Boolean,
  required_records: Schema.Array(RequiredRecord),
  verification_status: Schema.String,
  findings: Schema.Array(FindingView),
  observation: Schema.NullOr(Observation)
}).annotate({ identifier: "DnsVerifyResult" })

const params = { id: Id }
const language = "Texts are in German or English, by `lang` or Accept-Language."

export const checks = HttpApiGroup.make("checks")
  .add(
    HttpApiEndpoint.get("instructions", "/dns-instructions", {
      params,
      query: inLanguage,
      success: DnsInstructions,
      error: NotFound
    })
      .annotate(Requires, "domains.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Required DNS records and their current contents",
          description: `Queries DNS for at most five seconds; a record without an answer is \`unknown\`. ${language}`
        })
      ),
    HttpApiEndpoint.get("check", "/check", { params, query: inLanguage, success: CheckView, error: NotFound })
      .annotate(Requires, "domains.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Last check of a domain and its findings",
          description: `Includes each server's answer. Sends no DNS query. ${language}`
        })
      ),
    HttpApiEndpoint.post("verify", "/verify", { params, query: inLanguage, success: VerifyResult, error: NotFound })
      .annotate(Requires, "domains.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Check a domain now",
          description:
            `Queries all name servers and resolvers. The status is \`pending_verification\` during the check; A at @ ` +
            `decides the result. ${language}`
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/domains/:id")

export const VerificationApi = Api.make("verification").add(checks)
