/** Sanitises the HTML of a signature. */
import { Effect } from "effect"
import { type HtmlError, HtmlWorker } from "#core/html/HtmlWorker.ts"
import { InvalidRequest, Unavailable } from "#core/http/Problem.ts"

/**
 * Longest HTML of a signature. Unit: characters. Reason: room for a small logo, and short enough to go with every mail.
 */
export const maxHtml = 131_072

const wrong = (message: string) => new InvalidRequest({ errors: [{ field: "payload.html", message }] })

/** Sanitises HTML; remote images stay. Runs outside of any transaction. */
export const cleaned = (html: string): Effect.Effect<string, InvalidRequest | Unavailable, HtmlWorker> =>
  Effect.gen(function* () {
    const { sanitise } = yield* HtmlWorker
    const clean = yield* Effect.mapError(sanitise(html, { remoteImages: "show" }), ({ reason }: HtmlError) =>
      reason === "Full"
        ? new Unavailable({ detail: "Too many signatures are being sanitised right now. Try again." })
        : wrong("cannot be read as HTML in a reasonable time")
    )
    if (clean.truncated) return yield* wrong("has too many nested elements")
    return clean.html.length > maxHtml
      ? yield* wrong(`is longer than ${maxHtml} characters after it is sanitised`)
      : clean.html
  })
