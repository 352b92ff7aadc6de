import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"

/** Everything dns-verifier answers. */
export const DnsVerifierApi = Api.make("dns-verifier")
  .annotateMerge(OpenApi.annotations({ title: "dns-verifier", description: "Domains and their DNS: who runs it, what it says, what it should say, and keeping it so" }))
