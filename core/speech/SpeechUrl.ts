/**
 * Signed, temporary URLs of spoken audio for a telephone switch that shares no folder with us. Signed by HMAC-SHA256
 * with a key derived from the deployment's secrets, so every process accepts URLs signed by another.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Clock, Context, Effect, Layer } from "effect"
import { type ConfigInvalid, settings } from "../config/Environment.ts"
import type { FastLane } from "../lane/FastLane.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { type SecretError, Secrets } from "../config/Secrets.ts"
import { audioName } from "./Audio.ts"
import { serve } from "./SpeechFiles.ts"
import { type SpeechConfig, speechDirectory } from "./SpeechSettings.ts"

/** Path of the files, below the base address. */
export const speechPath = "/api/v1/comm/speech"

/**
 * Minimum validity of a URL. Unit: seconds. Reason: 90 s for the call lock, ringing, and a long message heard twice.
 */
export const leastLife = 15 * 60

/** A file's URL stays the same for this long. Unit: seconds. Reason: a switch caches by URL. */
export const addressStep = 5 * 60

export class SpeechUrls extends Context.Service<
  SpeechUrls,
  {
    /** URL of a file in the cache (`SpokenAudio.name`). */
    readonly url: (name: string) => Effect.Effect<string, SecretError>
    /** Answers GET and HEAD of these URLs only; needs no credentials. */
    readonly lane: FastLane
  }
>()("signalbox/core/SpeechUrls") {
  static readonly layer = (config: SpeechConfig): Layer.Layer<SpeechUrls, ConfigInvalid, Secrets> =>
    Layer.effect(
      SpeechUrls,
      Effect.gen(function* () {
        const { bind, dataDir, gatewayPort } = yield* settings({
          bind: platformSettings.bind,
          dataDir: platformSettings.dataDir,
          gatewayPort: platformSettings.gatewayPort
        })
        const base = config.speechBaseUrl ?? speechBase(bind, gatewayPort)
        return yield* make(base, speechDirectory(config, dataDir))
      })
    )
}

export const make = Effect.fnUntraced(function* (base: string, directory: string) {
  const keys = (yield* Secrets).derive("speech-url")
  const url = (name: string) =>
    Effect.gen(function* () {
      const [newest] = yield* keys
      const expires = expiryOf(yield* Clock.currentTimeMillis)
      return `${base}${speechPath}/${name}?expires=${expires}&signature=${sign(newest!, name, expires)}`
    })
  const handler = serve(directory, (target) =>
    Effect.runPromise(Effect.map(keys, (held) => admitted(held, target, Date.now())))
  )
  return SpeechUrls.of({
    url,
    lane: new Map([
      [`GET ${speechPath}/*`, handler],
      [`HEAD ${speechPath}/*`, handler]
    ])
  })
})

/** Expiry of a URL created at `now` (epoch milliseconds). Unit: epoch seconds. */
export const expiryOf = (now: number): number => (Math.floor(now / 1000 / addressStep) + 1) * addressStep + leastLife

export const sign = (key: Uint8Array, name: string, expires: number): string =>
  createHmac("sha256", key).update(`${name}\n${expires}`).digest("base64url")

/**
 * The file named by a request target, if the signature is valid and not expired at `now` (epoch milliseconds). Pure.
 */
export const admitted = (keys: ReadonlyArray<Uint8Array>, target: string, now: number): string | undefined => {
  const question = target.indexOf("?")
  if (question === -1 || !target.startsWith(`${speechPath}/`)) return undefined
  const name = target.slice(speechPath.length + 1, question)
  if (!audioName.test(name)) return undefined
  const query = new URLSearchParams(target.slice(question + 1))
  const expires = query.get("expires") ?? ""
  const given = Buffer.from(query.get("signature") ?? "", "latin1")
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now) return undefined
  const signed = keys.some((key) => {
    const ours = Buffer.from(sign(key, name, Number(expires)), "latin1")
    return ours.length === given.length && timingSafeEqual(ours, given)
  })
  return signed ? name : undefined
}

/**
 * Address of the gateway for a switch on this machine: loopback when the gateway listens on all interfaces. A switch on
 * another machine needs SIGNALBOX_SPEECH_BASE_URL.
 */
export const speechBase = (bind: string, gatewayPort: number): string => {
  const host = bind === "0.0.0.0" ? "127.0.0.1" : bind === "::" ? "[::1]" : bind.includes(":") ? `[${bind}]` : bind
  return `http://${host}:${gatewayPort}`
}
