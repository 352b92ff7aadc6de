import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { ExtensionCredentials } from "#core/contracts/Provisioning.ts"
import { noStore, retryAfter } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable, Unavailable } from "#core/http/Problem.ts"
import * as RateLimit from "#core/limits/RateLimit.ts"
import { ask } from "#core/requests/Requests.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { mediaType, mobileconfig } from "#protocols/device-profiles/Mobileconfig.ts"
import { phoneFile, written } from "#protocols/device-profiles/PhoneFile.ts"
import * as Yealink from "#protocols/device-profiles/Yealink.ts"
import { organizationOf } from "../link-mail/Exports.ts"
import { LinkGone, TooManyRetrievals } from "../vocabulary/Exports.ts"
import { lineOf } from "./Accounts.ts"
import { DevicePagesApi } from "./Api.ts"
import { words } from "./pages/Words.ts"
import * as PhoneLinks from "./PhoneLinks.ts"
import { isSecret } from "./PhoneSecret.ts"
import * as ProfileTicket from "./ProfileTicket.ts"
import { devicePageSettings, loadSigner } from "./Settings.ts"

/**
 * Requests of one client address. Reason: after a power cut an office with a hundred telephones behind one address
 * loads everything again, with three files for each telephone.
 */
const rate = { burst: 300, perSecond: 2 }

const gone = new LinkGone({ detail: "The address is unknown, or no longer valid." })

export const devicePages = Handlers.group(
  DevicePagesApi,
  "provisioningDevicePages",
  Effect.fn(function* (handlers) {
    const config = yield* liveSettings(devicePageSettings)
    const limit = RateLimit.make(rate)

    /** Address of the client; fails when it asks too often. */
    const admitted = Effect.gen(function* () {
      const { address } = yield* client
      const wait = limit.take(address, Date.now())
      if (wait > 0)
        return yield* Effect.andThen(
          retryAfter(wait),
          Effect.fail(new TooManyRetrievals({ detail: "This address asks too often." }))
        )
      return address
    })

    return handlers.handleAll({
      profile: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        yield* admitted
        const ticket = yield* ProfileTicket.open(payload.profile, Date.now())
        if (ticket === undefined) return yield* gone
        if (!(yield* orUnavailable(transaction(PhoneLinks.isActive(ticket.device))))) return yield* gone
        const t = words(ticket.language)
        const { calendar, contacts, device, host, mail } = ticket
        const text = mobileconfig({
          identifier: `${host.split(/[.:]/).toReversed().join(".")}.${device}`,
          title: t.profileTitle({ host }),
          organization: organizationOf(config),
          description: t.profileText,
          ...(mail === undefined ? {} : { mail }),
          ...(contacts === undefined ? {} : { contacts }),
          ...(calendar === undefined ? {} : { calendar })
        })
        const plain = Buffer.from(text)
        const signer = loadSigner(config)
        if (Result.isFailure(signer))
          yield* Effect.logError(`a profile is sent unsigned: SIGNALBOX_PROFILE_CERTIFICATE ${signer.failure}`)
        const keys = Result.isSuccess(signer) ? signer.success : undefined
        const bytes =
          keys === undefined
            ? plain
            : (yield* Effect.promise(() => import("#protocols/device-profiles/CmsSignature.ts"))).signed(
                plain,
                keys,
                new Date()
              )
        return HttpServerResponse.uint8Array(bytes, {
          contentType: mediaType,
          headers: { "content-disposition": 'attachment; filename="device.mobileconfig"' }
        })
      }),
      phoneFile: Effect.fnUntraced(function* ({ params: { file, secret } }) {
        yield* noStore
        const address = yield* admitted
        const wanted = phoneFile(file)
        if (wanted === undefined || !isSecret(secret)) return yield* gone
        const link = yield* orUnavailable(transaction(PhoneLinks.find(secret)))
        if (link === undefined) return yield* gone
        if (wanted._tag === "CommonFile") return HttpServerResponse.text(Yealink.empty)
        const { device_id, extension_id, tenant_id, user_id } = link
        const credentials = yield* ask(ExtensionCredentials, {
          user_id,
          tenant_id,
          device_id,
          extension_id,
          client_ip: address
        }).pipe(
          Effect.catchTags({
            RequestRefused: () => gone,
            NoAnswer: () =>
              Effect.andThen(retryAfter(5), new Unavailable({ detail: "The telephony daemon does not answer." }))
          }),
          orUnavailable
        )
        const line = lineOf(credentials)
        if (line === undefined) return yield* gone
        yield* orUnavailable(transaction(PhoneLinks.fetched(device_id, address)))
        const { mediaType: contentType, text } = written(wanted.kind, line)
        return HttpServerResponse.text(text, { contentType })
      })
    })
  })
)
