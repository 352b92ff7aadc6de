import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "#core/http/Problem.ts"
import { Address } from "../../accounts/Exports.ts"
import { PushAuthentication } from "./PushAuthentication.ts"

/** Endpoint for mail servers. */
export const push = HttpApiGroup.make("mailPush")
  .add(
    HttpApiEndpoint.post("push", "/:account", {
      params: { account: Address },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "There is news in a mailbox",
        description:
          "For mail servers that call when something changes in a mailbox; `account` is its address. The mailbox is " +
          "looked at next; no body is read. The caller shows a service token of scope mail-push or platform, as " +
          "x-service-token or as the password of HTTP Basic."
      })
    )
  )
  .middleware(PushAuthentication)
  .prefix("/api/v1/mail/push")
