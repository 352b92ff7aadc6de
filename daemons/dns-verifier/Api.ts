import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { checks } from "./api/Checks.ts"
import { domains } from "./api/Domains.ts"
import { plans } from "./api/Plans.ts"
import { providers } from "./api/Providers.ts"
import { records } from "./api/Records.ts"

/** Everything dns-verifier answers. */
export const DnsVerifierApi = Api.make("dns-verifier")
  .add(domains)
  .add(checks)
  .add(records)
  .add(plans)
  .add(providers)
  .annotateMerge(
    OpenApi.annotations({
      title: "dns-verifier",
      description: "Domains and their DNS: who runs it, what it says, what it should say, and keeping it so"
    })
  )
