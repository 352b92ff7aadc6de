import { Effect, Redacted } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { VoicemailBoxView } from "./Api.ts"
import { Credentials, newPin, sealedPins } from "../Credentials.ts"
import * as VoicemailBoxes from "./Store.ts"
import { internalNumber, sipDomain } from "../Names.ts"
import { SipSettings } from "../SipSettings.ts"
import { answeredIn, chosen, maySend, notEmergency, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: VoicemailBoxes.VoicemailBox): typeof VoicemailBoxView.Type => answeredIn(row)

/** Normalises the numbers and the domain. */
const normal = <A extends { readonly domain?: string; readonly box?: string; readonly number?: string }>(
  sent: A
): A => ({
  ...sent,
  ...(sent.domain === undefined ? {} : { domain: sipDomain(sent.domain)! }),
  ...(sent.box === undefined ? {} : { box: internalNumber(sent.box)! }),
  ...(sent.number === undefined ? {} : { number: internalNumber(sent.number)! })
})

export const voicemailBoxes = Handlers.group(
  DirectoryApi,
  "voicemailBoxes",
  Effect.fn(function* (handlers) {
    const credentials = yield* Credentials
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...rest } }) {
        return paged(
          (yield* orUnavailable(inScope(VoicemailBoxes.list(normal(rest), before, limit + 1)))).map(view),
          limit
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(VoicemailBoxes.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload: { pin, ...payload } }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        yield* maySend(pin, "payload.pin")
        yield* notEmergency(payload.box, country, "payload.box")
        const sealed = yield* orUnavailable(credentials.forNew(sealedPins, chosen(pin, newPin)))
        const { box, domain, email = null, enabled = true, name } = normal(payload)
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.voicemail_boxes.create",
            body: { ...payload, pin },
            secrets: ["pin"],
            response: VoicemailBoxView,
            create: Effect.map(VoicemailBoxes.create(tenantId, domain, { box, name, email, enabled }, sealed), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        yield* notEmpty(payload)
        const { pin, ...rest } = payload
        yield* maySend(pin, "payload.pin")
        yield* notEmergency(rest.box, country, "payload.box")
        // Responds with 404 before a PIN is sealed.
        yield* orUnavailable(inScope(VoicemailBoxes.get(id)))
        const sealed = pin === undefined ? undefined : yield* credentials.seal(sealedPins, id, Redacted.make(pin))
        return view(yield* orUnavailable(inScope(VoicemailBoxes.update(id, normal(rest), sealed))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(VoicemailBoxes.remove(params.id)))
      }),
      rotate: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(inScope(VoicemailBoxes.get(id)))
        const sealed = yield* credentials.seal(sealedPins, id, newPin())
        return view(yield* orUnavailable(inScope(VoicemailBoxes.setPin(id, sealed))))
      }),
      pin: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* noStore
        const { box, domain, pin } = yield* orUnavailable(inScope(VoicemailBoxes.shown(id)))
        return { id, box, domain, pin: Redacted.value(yield* credentials.open(sealedPins, id, pin)) }
      })
    })
  })
)
