import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InvalidRequest, NotFound, Unavailable } from "#core/http/Problem.ts"
import { Destination } from "../domains/Exports.ts"

const parts = {
  // Validated only; the response does not contain the address.
  query: { emailaddress: Schema.optionalKey(Destination) },
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/xml; charset=utf-8" })),
  error: [InvalidRequest, NotFound, Unavailable]
}

const documented = (summary: string) =>
  OpenApi.annotations({
    summary,
    description:
      "For mail programs, without credentials. The Host header names the domain, with or without the prefix " +
      "`autoconfig.`; 404: no such mail domain. The answer is XML in Thunderbird's format config-v1.1: IMAP 993, " +
      "SMTP 587 and 465."
  })

/** Automatic configuration of mail programs. */
export const autoconfig = HttpApiGroup.make("autoconfig").add(
  HttpApiEndpoint.get("config", "/mail/config-v1.1.xml", parts).annotateMerge(
    documented("Settings of a mail program, by autoconfig.<domain>")
  ),
  HttpApiEndpoint.get("wellKnown", "/.well-known/autoconfig/mail/config-v1.1.xml", parts).annotateMerge(
    documented("Settings of a mail program, by the domain itself")
  )
)

/** Endpoints for the automatic configuration of mail programs. */
export const AutoconfigApi = Api.make("autoconfig").add(autoconfig)
