/** The translation engine: an interface, and LibreTranslate behind it. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { engineCode } from "#protocols/libretranslate/EngineCode.ts"
import * as LibreTranslate from "#protocols/libretranslate/LibreTranslate.ts"
import type { LibreTranslateError } from "#protocols/libretranslate/LibreTranslateError.ts"
import { sourceLocale } from "../texts/Exports.ts"
import { translationSettings } from "./Settings.ts"

export type EngineError = LibreTranslateError

export interface Engine {
  /** Code of the language at the engine; undefined: the engine does not translate from English into it. */
  readonly codeOf: (locale: string) => Effect.Effect<string | undefined, EngineError>
  /** Translates HTML fragments from English, in order. */
  readonly translate: (
    fragments: ReadonlyArray<string>,
    code: string
  ) => Effect.Effect<ReadonlyArray<string>, EngineError>
  /** Maximum number of fragments, and most characters, of one request. */
  readonly maxBatch: number
  readonly maxCharacters: number
}

/** Undefined without SIGNALBOX_TRANSLATE_URL. */
export class TranslationEngine extends Context.Service<TranslationEngine, { readonly engine?: Engine }>()(
  "signalbox/localization/TranslationEngine"
) {}

export const layer = Layer.effect(
  TranslationEngine,
  Effect.gen(function* () {
    const { key, url } = yield* settings(translationSettings)
    const http = yield* OutboundHttp
    if (url === undefined) return TranslationEngine.of({})
    const api = LibreTranslate.make({
      url,
      apiKey: key,
      exchange: ({ body, headers, maxAnswer, method, timeout, url }) =>
        http
          .request({
            method,
            url,
            headers,
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
    return TranslationEngine.of({
      engine: {
        codeOf: (locale) => Effect.map(api.languages, (known) => engineCode(known, sourceLocale, locale)),
        translate: (fragments, code) => api.translate(fragments, sourceLocale, code),
        maxBatch: LibreTranslate.maxBatch,
        maxCharacters: LibreTranslate.maxCharacters
      }
    })
  })
).pipe(Layer.provide(OutboundHttp.layer))
