import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { answerHeaders } from "#core/http/AnswerHeaders.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { AutoconfigApi } from "./Api.ts"
import { askedDomains } from "./AskedDomain.ts"
import { clientConfig } from "./ClientConfig.ts"
import { MailServer } from "../domains/Exports.ts"

/** Cache lifetime of the document. Unit: seconds. Reason: it changes only when the mail server moves. */
const maxAge = 3600

export const autoconfig = Handlers.group(
  AutoconfigApi,
  "autoconfig",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    const server = yield* MailServer
    const notHere = new NotFound({ detail: "The host name does not belong to a mail domain of this server." })
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { host } = server
      const asked = askedDomains(request.headers["host"])
      if (asked.length === 0 || host === undefined) return yield* notHere
      // Searches all tenants by name: that the domain is hosted here is public anyway, by its MX record.
      const found = yield* orUnavailable(
        sql<{ domain: string }>`select domain from mail_admin.domain where proven and ${sql.in("domain", asked)}`
      )
      const domain = asked.find((name) => found.some((row) => row.domain === name))
      if (domain === undefined) return yield* notHere
      yield* answerHeaders({ "cache-control": `public, max-age=${maxAge}` })
      return clientConfig(domain, host)
    })
    return handlers.handleAll({ config: () => answer, wellKnown: () => answer })
  })
)
