/**
 * How the asking mail server names itself: client credentials by HTTP Basic or among the form fields (RFC 6749 §2.3.1),
 * or x-service-token. The secret is a service token, which also says who it is; the client id is for the asker's own
 * order. Pure.
 */
import type { IncomingHttpHeaders } from "node:http"
import { basicPassword } from "#core/http/BasicCredentials.ts"
import type { Form } from "#core/http/FormBody.ts"

/** What names the caller in the headers alone; undefined where the form has to be looked at, too. */
export const shownHeader = (headers: IncomingHttpHeaders): string | undefined => {
  const { authorization } = headers
  const header = headers["x-service-token"]
  return header === undefined
    ? authorization
    : authorization === undefined && typeof header === "string"
      ? header
      : undefined
}

/** The service token a request shows, or undefined. Two ways at once are refused as none. Source: RFC 6749 §2.3. */
export const presentedSecret = (headers: IncomingHttpHeaders, form: Form): string | undefined => {
  const header = headers["x-service-token"]
  const basic = headers.authorization === undefined ? undefined : basicPassword(headers.authorization)
  const field = form.get("client_secret")
  const shown = [typeof header === "string" ? header : undefined, basic, field].filter((secret) => secret !== undefined)
  // Dovecot 2.3 sends the same credentials both as Basic and as fields.
  return shown.every((secret) => secret === shown[0]) ? shown[0] : undefined
}
