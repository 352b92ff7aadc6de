/**
 * Client of a LibreTranslate server, or of one with the same interface. Each call sends one request and repeats
 * nothing. Keeps no state. Source: LibreTranslate, app.py, July 2026.
 *
 * npm has no maintained client of this API with 500 downloads a month (November 2026).
 */
import { Duration, Effect, Redacted, Result } from "effect"
import type { Exchange, HttpRequest } from "../http/Exchange.ts"
import { type EngineLanguage, readAnswer, readLanguages, readTranslated } from "./Answer.ts"
import { LibreTranslateError, type LibreTranslateReason } from "./LibreTranslateError.ts"

/**
 * Default timeout of a request. Reason: the server loads the models of a language at its first use, which takes tens of
 * seconds.
 */
export const defaultTimeout = Duration.seconds(60)

/** Maximum number of texts in one request. Source: a common limit of servers (`--batch-limit`). */
export const maxBatch = 50

/** Maximum number of characters in one request. Source: a common limit of servers (`--char-limit`). */
export const maxCharacters = 5_000

/**
 * Maximum size of an answer. Unit: bytes. Reason: `maxCharacters` at three bytes each, three times as long after
 * translation, take 45,000 bytes; escapes in JSON can take several times that.
 */
const maxAnswer = 256 * 1024

export interface LibreTranslateOptions {
  /** Base address of the server, without a path. A final slash is allowed. */
  readonly url: string
  /** Key for the server; undefined when it accepts requests without one. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly exchange: Exchange
  readonly timeout?: Duration.Duration
}

export interface LibreTranslate {
  /** Languages of the server. */
  readonly languages: Effect.Effect<ReadonlyArray<EngineLanguage>, LibreTranslateError>
  /**
   * Translates HTML fragments: at most `maxBatch`, with at most `maxCharacters` together. The result has the same
   * order. `source` and `target` are the server's own language codes (EngineCode.ts).
   */
  readonly translate: (
    fragments: ReadonlyArray<string>,
    source: string,
    target: string
  ) => Effect.Effect<ReadonlyArray<string>, LibreTranslateError>
}

export const make = ({ apiKey, exchange, timeout = defaultTimeout, url }: LibreTranslateOptions): LibreTranslate => {
  const base = url.replace(/\/+$/, "")
  const secret = apiKey === undefined ? "" : Redacted.value(apiKey)

  const send = Effect.fnUntraced(function* <A>(
    operation: string,
    request: Pick<HttpRequest, "method" | "body"> & { readonly path: string },
    read: (json: unknown) => A | undefined
  ) {
    const fail = (reason: LibreTranslateReason) => new LibreTranslateError({ operation, reason })
    const answer = yield* exchange({
      method: request.method,
      url: `${base}${request.path}`,
      headers: {
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      timeout,
      maxAnswer
    }).pipe(
      Effect.mapError(({ detail, sent }) => fail(sent ? { _tag: "NoAnswer", detail } : { _tag: "NotReached", detail }))
    )
    return yield* Effect.fromResult(Result.mapError(readAnswer(answer, read, secret), fail))
  })

  return {
    languages: send("languages", { method: "GET", path: "/languages" }, readLanguages),
    translate: (fragments, source, target) =>
      send(
        "translate",
        {
          method: "POST",
          path: "/translate",
          body: JSON.stringify({
            q: fragments,
            source,
            target,
            format: "html",
            ...(secret === "" ? {} : { api_key: secret })
          })
        },
        readTranslated(fragments.length)
      )
  }
}
