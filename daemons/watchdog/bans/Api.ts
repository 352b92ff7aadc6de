import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { CrowdSecFailed } from "./Errors.ts"
import { Address, AlertKind, BanSeconds, Days, ExemptionSeconds, LiftSeconds, Reason, Rule, Source } from "./Fields.ts"

/** What is known about CrowdSec. */
const CrowdSecState = Schema.Struct({
  /**
   * - `unconfigured`: the installation has no CrowdSec. `ok`: the list is fresh.
   * - `away`: CrowdSec does not answer; its decisions are those of `as_of`.
   */
  state: Schema.Literals(["unconfigured", "ok", "away"]),
  /** When CrowdSec's decisions were last read; null: never. */
  as_of: Schema.NullOr(Schema.String),
  /** Why CrowdSec is away. */
  problem: Schema.NullOr(Schema.String),
  /** Whether CrowdSec has more decisions than are shown here. */
  truncated: Schema.Boolean
}).annotate({ identifier: "CrowdSecState" })

export const DecisionView = Schema.Struct({
  id: Schema.Int,
  source: Source,
  /** Our daemon that banned (`sip-config`), or CrowdSec's origin (`crowdsec`, `cscli`, `CAPI`). */
  origin: Schema.String,
  /** `sip-brute-force`, `manual`, or the name of CrowdSec's scenario. */
  rule: Schema.String,
  /** An address, or a range such as `2001:db8:1:2::/64`. */
  address: Schema.String,
  since: Schema.String,
  until: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** End of an exemption that overlaps the address; until then the ban has no effect. */
  exempted_until: Schema.NullOr(Schema.String),
  /** Whether the ban is CrowdSec's and CrowdSec is away, so that it may have been lifted. */
  stale: Schema.Boolean
}).annotate({ identifier: "SecurityDecision" })

const DecisionPage = Schema.Struct({ ...pageOf(DecisionView).fields, crowdsec: CrowdSecState })

export const AlertView = Schema.Struct({
  id: Schema.Int,
  source: Source,
  kind: AlertKind,
  rule: Schema.String,
  address: Schema.String,
  at: Schema.String,
  /** When the ban or exemption will end; null for entries that begin neither. */
  until: Schema.NullOr(Schema.String),
  /** Number of log lines that led to CrowdSec's alert; null for our own. */
  events: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String),
  /** Country of the address by CrowdSec, two letters. */
  country: Schema.NullOr(Schema.String),
  /** Network operator of the address by CrowdSec. */
  network: Schema.NullOr(Schema.String)
}).annotate({ identifier: "SecurityAlert" })

const AlertPage = Schema.Struct({ ...pageOf(AlertView).fields, crowdsec: CrowdSecState })

const Counts = { own: Schema.Int, crowdsec: Schema.Int }

export const SummaryView = Schema.Struct({
  crowdsec: CrowdSecState,
  /** First day that is counted, UTC. */
  from: Schema.String,
  /** Bans now, by source. */
  active: Schema.Struct(Counts),
  /** Active exemptions. */
  exemptions: Schema.Int,
  /** Bans of our own and alerts of CrowdSec in the days, by source. */
  offences: Schema.Struct(Counts),
  /** The most frequent rules first, at most 50. */
  by_rule: Schema.Array(
    Schema.Struct({ rule: Schema.String, source: Source, active: Schema.Int, offences: Schema.Int })
  ),
  /** Each day once, oldest first, also days without offences. */
  by_day: Schema.Array(Schema.Struct({ day: Schema.String, ...Counts })),
  /** The most frequent addresses first, at most 20. */
  top_addresses: Schema.Array(
    Schema.Struct({
      address: Schema.String,
      offences: Schema.Int,
      last_at: Schema.String,
      /** Whether a ban covers the address now. */
      banned: Schema.Boolean
    })
  )
}).annotate({ identifier: "SecuritySummary" })

export const ExemptionView = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  since: Schema.String,
  until: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** Who made it: `user:12`, `service:3`, `operator`. */
  created_by: Schema.String
}).annotate({ identifier: "SecurityExemption" })

export const LiftView = Schema.Struct({
  address: Schema.String,
  /** Number of bans of the address that were lifted. */
  lifted: Schema.Int,
  /** Null when none was asked for. */
  exemption: Schema.NullOr(ExemptionView)
}).annotate({ identifier: "SecurityLift" })

export const NewBan = Schema.Struct({ address: Address, duration_s: BanSeconds, reason: Reason })
export const NewExemption = Schema.Struct({ address: Address, duration_s: ExemptionSeconds, reason: Reason })

const filters = {
  /** Bans that overlap this address or range. */
  address: Schema.optionalKey(Address),
  source: Schema.optionalKey(Source),
  rule: Schema.optionalKey(Rule)
}

/** Endpoints of bans. Source: interface document 3 §4.5; ban and exemptions are additions. */
export const security = HttpApiGroup.make("security")
  .add(
    HttpApiEndpoint.get("decisions", "/decisions", { query: { ...page(), ...filters }, success: DecisionPage })
      .annotate(Requires, "security.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Active bans, newest first",
          description:
            "Bans of all our daemons and of CrowdSec. While CrowdSec is away, its last known bans are shown as " +
            "`stale`. `address` finds the bans that overlap an address or range."
        })
      ),
    HttpApiEndpoint.post("ban", "/decisions", {
      headers: Idempotency.headers,
      payload: NewBan,
      success: DecisionView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, "security.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Ban an address or range",
          description:
            "Replaces a ban of the same address. Refused are ranges wider than IPv4 /16 and IPv6 /32, and those that " +
            "overlap loopback, a trusted proxy, an address of this host, an exemption or the caller's own address."
        })
      ),
    HttpApiEndpoint.delete("lift", "/decisions/:id", {
      params: { id: Id },
      query: { exempt_s: Schema.optionalKey(LiftSeconds), reason: Schema.optionalKey(Reason) },
      success: LiftView,
      error: [NotFound, CrowdSecFailed]
    })
      .annotate(Requires, "security.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Lift a ban",
          description:
            "Lifts all bans of the address, ours and CrowdSec's, and exempts the address for `exempt_s` seconds " +
            "(default: an hour; 0: not), so that the next failure does not ban it again."
        })
      ),
    HttpApiEndpoint.get("alerts", "/alerts", {
      query: { ...page(), ...filters, kind: Schema.optionalKey(AlertKind) },
      success: AlertPage
    })
      .annotate(Requires, "security.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Offences, bans and lifts, newest first",
          description: "Alerts of CrowdSec, and what happened to our own bans. Kept for 90 days."
        })
      ),
    HttpApiEndpoint.get("summary", "/summary", { query: { days: Schema.optionalKey(Days) }, success: SummaryView })
      .annotate(Requires, "security.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Bans and offences by rule, source, day and address", description: "UTC days." })
      ),
    HttpApiEndpoint.get("exemptions", "/exemptions", { query: page(), success: pageOf(ExemptionView) })
      .annotate(Requires, "security.read")
      .annotateMerge(OpenApi.annotations({ summary: "Active exemptions, newest first" })),
    HttpApiEndpoint.post("exempt", "/exemptions", {
      headers: Idempotency.headers,
      payload: NewExemption,
      success: ExemptionView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, "security.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Exempt an address or range from bans",
          description:
            "Until its end no daemon counts offences of the address, and a ban that overlaps it has no effect. " +
            "Replaces an exemption of the same address. Not wider than IPv4 /16 and IPv6 /32."
        })
      ),
    HttpApiEndpoint.delete("endExemption", "/exemptions/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "security.manage")
      .annotateMerge(OpenApi.annotations({ summary: "End an exemption" }))
  )
  .annotate(ProviderOnly, true)
  .middleware(Authentication)
  .prefix("/api/v1/security")

export const SecurityApi = Api.make("security").add(security)
