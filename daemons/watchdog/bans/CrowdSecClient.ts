/** CrowdSec's client with the settings of this installation. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { version } from "#core/config/Version.ts"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import * as CrowdSec from "#protocols/crowdsec/CrowdSec.ts"
import { banSettings } from "./Settings.ts"

/** CrowdSec refuses a name without a version. */
const userAgent = `signalbox/${version}`

export interface CrowdSecClientShape {
  readonly api: CrowdSec.CrowdSec
  /** Whether alerts can be read and bans lifted. */
  readonly hasMachine: boolean
}

/** Undefined without SIGNALBOX_CROWDSEC_URL. */
export class CrowdSecClient extends Context.Service<CrowdSecClient, { readonly client?: CrowdSecClientShape }>()(
  "signalbox/watchdog/CrowdSecClient"
) {}

export const layer = Layer.effect(
  CrowdSecClient,
  Effect.gen(function* () {
    const { crowdsecKey, crowdsecMachine, crowdsecPassword, crowdsecUrl } = yield* settings(banSettings)
    const http = yield* OutboundHttp
    if (crowdsecUrl === undefined) return CrowdSecClient.of({})
    const machine =
      crowdsecMachine === undefined || crowdsecPassword === undefined
        ? undefined
        : { id: crowdsecMachine, password: crowdsecPassword }
    const api = CrowdSec.make({
      url: crowdsecUrl,
      bouncerKey: crowdsecKey,
      machine,
      exchange: ({ body, headers, maxAnswer, method, timeout, url }) =>
        http
          .request({
            method,
            url,
            headers: { ...headers, "user-agent": userAgent },
            ...(body === undefined ? {} : { body }),
            timeout,
            maxResponseBytes: maxAnswer,
            maxRedirects: 0,
            // Only an operator can set the address.
            allowCidrs: anyNetwork
          })
          .pipe(
            Effect.mapError((error) => ({ sent: error.requestSent, retryable: error.retryable, detail: error.message }))
          )
    })
    return CrowdSecClient.of({ client: { api, hasMachine: machine !== undefined } })
  })
).pipe(Layer.provide(OutboundHttp.layer))
