/**
 * Audit entries of changes that a request or a command makes. The entry names the caller and, for a request, the
 * address of the client.
 */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { client } from "../http/Client.ts"
import * as Audit from "./Audit.ts"

/** Address of the client of the current request; undefined outside requests. */
const address = Effect.gen(function* () {
  const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  if (Option.isNone(request)) return undefined
  return (yield* Effect.provideService(client, HttpServerRequest.HttpServerRequest, request.value)).address
})

/** Writes the entry `<entity>.<action>` for a row, in the surrounding transaction. */
export const noteChange = (
  entity: string,
  row: { readonly id: number | string; readonly tenant_id: number },
  action: string,
  detail: Audit.Entry["detail"] = {}
) =>
  Effect.flatMap(address, (address) =>
    Audit.writeFor({
      tenantId: row.tenant_id,
      action: `${entity}.${action}`,
      entity,
      id: String(row.id),
      address,
      detail
    })
  )
