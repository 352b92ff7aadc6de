/**
 * Public answers from memory: the list of languages, bundles and single texts. While Postgres is away they stay as they
 * were; old texts do no harm.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "#core/http/NodeProblem.ts"
import type { FastHandler } from "#core/lane/FastLane.ts"
import { send } from "#core/lane/PreparedAnswer.ts"
import type { Projection } from "#core/lane/Projection.ts"
import { answerOf, type RenderedAnswer } from "#core/lane/RenderedAnswer.ts"
import { render } from "./Rendered.ts"
import type { Shelf } from "./Shelf.ts"
import type { TextBook } from "../text-memory/TextBook.ts"

const prefix = "/api/v1/i18n"
const bundlePath = `${prefix}/bundles/`
const textPath = `${prefix}/texts/`

export interface Ground {
  readonly projection: Pick<Projection, "fresh" | "ensurePromise">
  readonly book: TextBook
  readonly shelf: Shelf
}

export const lanes = (ground: Ground): ReadonlyArray<readonly [key: string, handler: FastHandler]> => {
  const { book, projection, shelf } = ground

  /**
   * Makes sure that the texts in memory are at most a second old, or that Postgres is away. False: no texts were ever
   * read.
   */
  const compared = async (): Promise<boolean> => (await projection.ensurePromise()) || book.has("en")

  const slowly = async (
    request: IncomingMessage,
    response: ServerResponse,
    find: () => Promise<RenderedAnswer | undefined>
  ): Promise<void> => {
    if (!(await compared())) return sendProblem(response, 503, "The database does not answer.")
    const rendered = await find()
    if (rendered === undefined) return sendProblem(response, 404)
    tell(request, response, rendered)
  }

  return [
    [
      `GET ${bundlePath}:locale`,
      (request, response) => {
        const locale = restOf(request.url!, bundlePath)
        const ready = projection.fresh() ? shelf.ready(locale) : undefined
        if (ready !== undefined) return tell(request, response, ready)
        return slowly(request, response, () => shelf.bundle(locale))
      }
    ],
    [`GET ${prefix}/languages`, (request, response) => slowly(request, response, shelf.languages)],
    [
      `GET ${textPath}*`,
      (request, response) => {
        const [locale = "", key = "", ...more] = restOf(request.url!, textPath).split("/").map(decoded)
        return slowly(request, response, async () => {
          const value = more.length === 0 && book.has(locale) ? book.text(locale, key) : undefined
          return value === undefined ? undefined : render(JSON.stringify({ locale, key, value }))
        })
      }
    ]
  ]
}

const tell = ({ headers }: IncomingMessage, response: ServerResponse, rendered: RenderedAnswer): void =>
  send(response, answerOf(rendered, headers["accept-encoding"], headers["if-none-match"]))

/** Path after `start`, without query. */
const restOf = (url: string, start: string): string => {
  const end = url.indexOf("?")
  return url.slice(start.length, end === -1 ? undefined : end)
}

/** Decoded path segment; empty when it is malformed. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}
