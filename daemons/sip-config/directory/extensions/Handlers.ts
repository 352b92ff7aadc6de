import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { ExtensionView } from "./Api.ts"
import { Credentials, newPassword, sealedExtensions } from "../Credentials.ts"
import * as Extensions from "./Store.ts"
import { phoneConfig } from "../own-extensions/PhoneConfig.ts"
import { internalNumber, sipDomain } from "../Names.ts"
import { classify } from "../numbers/NumberPlan.ts"
import { SipSettings } from "../SipSettings.ts"
import { answeredIn, chosen, maySend, notEmergency, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: Extensions.Extension): typeof ExtensionView.Type => ({
  ...answeredIn(row),
  ...classify(row.extension, row.name)
})

/**
 * Rules for a new password on a change of owner. `asked`: the change may need one. `always`: also for an extension
 * without an owner before. Otherwise a caller without permission to read passwords could assign the extension to
 * themselves and read its password.
 */
const handedOver = Effect.fnUntraced(function* (userId: number | null | undefined, sealed: string | undefined) {
  const caller = yield* Caller
  return {
    asked: userId !== undefined && sealed === undefined,
    always: caller.kind === "user" && !caller.permissions.has("sip.credentials.read")
  }
})

export const extensions = Handlers.group(
  DirectoryApi,
  "extensions",
  Effect.fn(function* (handlers) {
    const credentials = yield* Credentials
    const settings = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, domain, limit = defaultPage, number, ...rest } }) {
        const filter = {
          ...rest,
          ...(domain === undefined ? {} : { domain: sipDomain(domain)! }),
          ...(number === undefined ? {} : { number: internalNumber(number)! })
        }
        return paged((yield* orUnavailable(inScope(Extensions.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Extensions.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload: { password, ...payload } }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        yield* maySend(password, "payload.password")
        yield* notEmergency(payload.extension, settings.country, "payload.extension")
        const sealed = yield* orUnavailable(credentials.forNew(sealedExtensions, chosen(password, newPassword)))
        const extension = {
          tenantId,
          domain: sipDomain(payload.domain)!,
          extension: internalNumber(payload.extension)!,
          name: payload.name,
          userId: payload.user_id ?? null,
          enabled: payload.enabled ?? true
        }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.extensions.create",
            body: { ...payload, password },
            secrets: ["password"],
            response: ExtensionView,
            create: Effect.map(Extensions.create(extension, sealed), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        yield* notEmpty(payload)
        const { domain, extension, password, ...rest } = payload
        yield* maySend(password, "payload.password")
        yield* notEmergency(extension, settings.country, "payload.extension")
        // Responds with 404 before a password is sealed.
        yield* orUnavailable(inScope(Extensions.get(id)))
        const to = {
          ...rest,
          ...(domain === undefined ? {} : { domain: sipDomain(domain)! }),
          ...(extension === undefined ? {} : { extension: internalNumber(extension)! })
        }
        const sealed =
          password === undefined
            ? undefined
            : yield* credentials.seal(sealedExtensions, id, chosen(password, newPassword))
        const { always, asked } = yield* handedOver(payload.user_id, sealed)
        const handOver = asked
          ? { envelope: yield* credentials.seal(sealedExtensions, id, newPassword()), always }
          : undefined
        return view(yield* orUnavailable(inScope(Extensions.update(id, to, sealed, handOver))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Extensions.remove(params.id)))
      }),
      rotate: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(inScope(Extensions.get(id)))
        const sealed = yield* credentials.seal(sealedExtensions, id, newPassword())
        return view(yield* orUnavailable(inScope(Extensions.setPassword(id, sealed))))
      }),
      config: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* noStore
        const row = yield* orUnavailable(inScope(Extensions.shown(id)))
        return phoneConfig(row, yield* credentials.open(sealedExtensions, id, row.password), settings)
      })
    })
  })
)
