import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { ownershipOf } from "#core/ownership/Challenge.ts"
import { mayAssert } from "#core/ownership/NameClaims.ts"
import { transaction } from "#core/sql/Sql.ts"
import { DirectoryApi } from "../Api.ts"
import { note } from "../Change.ts"
import { sipDomain } from "../Names.ts"
import type { SipDomainView } from "./Api.ts"
import * as SipDomains from "./Store.ts"

/** Converts a row to the response. */
export const view = ({
  created_at,
  domain,
  id,
  proven,
  tenant_id,
  token
}: SipDomains.SipDomain): typeof SipDomainView.Type => ({
  id,
  tenant_id,
  domain,
  ownership: ownershipOf(domain, proven ? "proven" : "pending", token),
  created_at: created_at.toISOString()
})

export const sipDomains = Handlers.group(DirectoryApi, "sipDomains", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, domain, limit = defaultPage, ...rest } }) {
      const filter = { ...rest, ...(domain === undefined ? {} : { domain: sipDomain(domain)! }) }
      return paged((yield* orUnavailable(inScope(SipDomains.list(filter, before, limit + 1)))).map(view), limit)
    }),
    show: Effect.fnUntraced(function* ({ params }) {
      return view(yield* orUnavailable(inScope(SipDomains.get(params.id))))
    }),
    checkOwnership: Effect.fnUntraced(function* ({ params }) {
      return view(yield* orUnavailable(inScope(SipDomains.checkOwnership(params.id))))
    }),
    assert: Effect.fnUntraced(function* ({ params }) {
      if (!mayAssert(yield* Caller))
        return yield* new Forbidden({ detail: "Only the provider may assert the ownership of a SIP domain." })
      // The provider asserts domains of every tenant.
      return view(
        yield* orUnavailable(
          transaction(
            SipDomains.assert(params.id, (row) =>
              note("sip_domain", row, "proven", { domain: row.domain, by: "assertion" })
            )
          )
        )
      )
    })
  })
)
