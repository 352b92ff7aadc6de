/** HTML of a signature made fit to be kept: whatever page it is shown in, nothing of it runs there. */
import { Effect } from "effect"
import { type HtmlError, HtmlWorker } from "#core/html/HtmlWorker.ts"
import { InvalidRequest, Unavailable } from "#core/http/Problem.ts"

/** Longest HTML of a signature. Unit: characters. Reason: room for a small logo inside it, and little enough to go with every mail. */
export const maxHtml = 131_072

const wrong = (message: string) => new InvalidRequest({ errors: [{ field: "payload.html", message }] })

/** Images of the net stay: whoever signs has put them there. Is done before any transaction. */
export const cleaned = (html: string): Effect.Effect<string, InvalidRequest | Unavailable, HtmlWorker> =>
  Effect.gen(function* () {
    const { sanitise } = yield* HtmlWorker
    const clean = yield* Effect.mapError(sanitise(html, { remoteImages: "show" }), ({ reason }: HtmlError) =>
      reason === "Full"
        ? new Unavailable({ detail: "Too many pages are being cleaned right now." })
        : wrong("cannot be read as HTML in a reasonable time")
    )
    if (clean.truncated) return yield* wrong("has too many elements inside each other")
    return clean.html.length > maxHtml
      ? yield* wrong(`is longer than ${maxHtml} characters once it is cleaned`)
      : clean.html
  })
