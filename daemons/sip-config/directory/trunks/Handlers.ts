import { Effect, Redacted } from "effect"
import { Caller, inScope, providerTenant } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { TrunkView } from "./Api.ts"
import { Credentials, sealedTrunks } from "../Credentials.ts"
import { pendingNetworks } from "./Networks.ts"
import * as Trunks from "./Store.ts"
import { changed } from "../Change.ts"
import { hostName } from "../Names.ts"
import { SipSettings } from "../SipSettings.ts"
import { answered, maySend, notEmergency, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: Trunks.Trunk): typeof TrunkView.Type => {
  const { confirmed: _, ...rest } = answered(row)
  return { ...rest, networks_pending: pendingNetworks(row) }
}

/** Whether the caller acts for the provider: a service token, or a user of the provider's tenant. */
const isProvider = Effect.map(Caller, (caller) => caller.kind === "service" || caller.tenantId === providerTenant)

/** Normalises the host and the realm. */
const normal = <A extends { readonly host?: string; readonly realm?: string | null }>(sent: A): A => ({
  ...sent,
  ...(sent.host === undefined ? {} : { host: hostName(sent.host)! }),
  ...(sent.realm === undefined || sent.realm === null ? {} : { realm: hostName(sent.realm)! })
})

export const trunks = Handlers.group(
  DirectoryApi,
  "trunks",
  Effect.fn(function* (handlers) {
    const credentials = yield* Credentials
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, tenant_id } }) {
        return paged((yield* orUnavailable(inScope(Trunks.list(tenant_id, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Trunks.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload: { password = null, ...payload } }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        yield* maySend(password ?? undefined, "payload.password")
        yield* notEmergency(payload.caller_id, country, "payload.caller_id")
        const { id, envelope } = yield* orUnavailable(credentials.forNew(sealedTrunks, Redacted.make(password ?? "")))
        const { tenant_id: _, ...sent } = normal(payload)
        const trunk = {
          port: 5060,
          transport: "udp" as const,
          username: null,
          register: password !== null && (payload.username ?? null) !== null,
          realm: null,
          caller_id: null,
          networks: [],
          enabled: true,
          ...sent
        }
        const by = { isProvider: yield* isProvider }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.trunks.create",
            body: { ...payload, password },
            secrets: ["password"],
            response: TrunkView,
            create: Effect.map(Trunks.create(tenantId, id, trunk, password === null ? null : envelope, by), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        yield* notEmpty(payload)
        const { password, ...rest } = payload
        yield* maySend(password, "payload.password")
        yield* notEmergency(rest.caller_id, country, "payload.caller_id")
        // Responds with 404 before a password is sealed.
        const before = yield* orUnavailable(inScope(Trunks.get(id)))
        const moves = rest.host !== undefined && hostName(rest.host) !== before.host
        // The new host receives digest responses made with the stored password. Only callers who may set passwords may
        // therefore change it.
        if (moves && before.has_password) yield* maySend(rest.host, "payload.host")
        const sealed =
          typeof password === "string" ? yield* credentials.seal(sealedTrunks, id, Redacted.make(password)) : password
        return view(
          yield* orUnavailable(inScope(Trunks.update(id, normal(rest), sealed, { isProvider: yield* isProvider })))
        )
      }),
      confirm: Effect.fnUntraced(function* ({ params, payload }) {
        if (!(yield* isProvider))
          return yield* new Forbidden({ detail: "Only the provider may confirm the networks of a trunk." })
        // The provider confirms trunks of every tenant.
        return view(
          yield* orUnavailable(
            transaction(
              Trunks.confirm(params.id, payload.networks, (row, detail) =>
                changed("sip_trunk", row, "networks_confirmed", detail)
              )
            )
          )
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Trunks.remove(params.id)))
      })
    })
  })
)
