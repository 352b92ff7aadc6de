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
        summary: "Report new mail in a mailbox",
        description:
          "For mail servers that report changes of a mailbox; `account` is its address. The mailbox is scanned " +
          "next; the request body is ignored. The caller sends a service token of scope mail-push or platform as " +
          "x-service-token or as the password of HTTP Basic."
      })
    )
  )
  .middleware(PushAuthentication)
  .prefix("/api/v1/mail/push")
