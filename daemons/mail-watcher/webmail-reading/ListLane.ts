/**
 * The list of a folder on the fast lane: what people wait for whenever they look at their mail, and the router takes as long for it as the mail
 * server. What is plain (who calls, whose the account is, which page) is known without waiting; a request of which anything is not, or that is
 * wrong, takes the ordinary way, which says what is wrong with it. Only what the mail server refuses is answered here as well.
 */
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import type { ServerResponse } from "node:http"
import * as CallerNow from "#core/auth/CallerNow.ts"
import type { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import type { Standing } from "#core/auth/Standing.ts"
import type { UserVerifier } from "#core/auth/UserVerifier.ts"
import { type FastHandler, pass } from "#core/lane/FastLane.ts"
import { sendOwn } from "#core/http/NodeProblem.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { AccountBook } from "../accounts/AccountsProjection.ts"
import { list } from "./Api.ts"
import { MailSessions } from "../accounts/sessions/MailSessions.ts"
import { type ListPage, listPage } from "./list/MessageList.ts"
import { readerNowOf, readerOf, type Source } from "./AccountReader.ts"

const path = "/api/v1/mail/webmail/messages/"

/** Method and path, for the lane. */
export const listLane = `GET ${path}:folder`

export class ListLane extends Context.Service<ListLane, { readonly handle: FastHandler }>()(
  "signalbox/mail-watcher/ListLane"
) {}

export const layer: Layer.Layer<ListLane, never, AccountBook | MailSessions | Standing | ServiceTokens | UserVerifier> =
  Layer.effect(
    ListLane,
    Effect.gen(function* () {
      const book = yield* AccountBook
      const sessions = yield* MailSessions
      const [read, readNow] = [readerOf(sessions), readerNowOf(sessions)]
      const callerNow = yield* CallerNow.make
      const fork = Effect.runForkWith(yield* Effect.context<never>())

      /** Until it is answered, or whoever asked went away. */
      const run = (work: Effect.Effect<void>, response: ServerResponse) =>
        new Promise<void>((resolve, reject) => {
          const fiber = fork(work)
          response.once("close", () => fiber.interruptUnsafe())
          fiber.addObserver((exit) =>
            Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? resolve() : reject(Cause.squash(exit.cause))
          )
        })

      return ListLane.of({
        handle: ({ headers, url = "" }, response) => {
          const asked = targetOf(url)
          if (asked === undefined) return pass
          const caller = callerNow(headers, list.needed)
          const account = caller === undefined ? undefined : book.accountNow(caller, asked.account)
          if (account === undefined) return pass
          const page = (source: Source) => listPage(source, asked.folder, asked)
          const ordinary = () =>
            run(
              Effect.match(read(account, page), {
                onSuccess: (page) => sendPage(response, page),
                onFailure: (problem) => sendOwn(response, problem)
              }),
              response
            )
          // A fibre for it takes a tenth of the page's time.
          return readNow(account, page)?.then((page) => sendPage(response, page), ordinary) ?? ordinary()
        }
      })
    })
  )

/** Targets that are remembered, and the longest of them. Unit: targets, characters. Reason: to read one takes as long as to find out who calls. */
const remembered = { targets: 1000, length: 256 }

const decodeParams = Schema.decodeUnknownExit(list.params)
const decodeQuery = Schema.decodeUnknownExit(list.query)

/** A page of all messages of a folder; undefined: something else, or nothing that can be understood. */
const targetOf = (url: string) => (url.length <= remembered.length ? rememberedTarget(url) : readTarget(url))

const readTarget = (url: string) => {
  const end = url.indexOf("?")
  const folder = decoded(url.slice(path.length, end === -1 ? undefined : end))
  const query = end === -1 ? {} : fieldsOf(url.slice(end + 1))
  if (folder === undefined || query === undefined) return undefined
  const params = decodeParams({ folder })
  const found = decodeQuery(query)
  if (Exit.isFailure(params) || Exit.isFailure(found)) return undefined
  const { account, flagged, order, page = 1, per_page: perPage = defaultPage, sort, unseen } = found.value
  return (sort ?? order ?? flagged ?? unseen) === undefined
    ? { folder: params.value.folder, account, page, perPage }
    : undefined
}

const rememberedTarget = remembering(remembered.targets, readTarget)

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Undefined: one of them is said twice. */
const fieldsOf = (text: string): Record<string, string> | undefined => {
  const fields = new URLSearchParams(text)
  const found: Record<string, string> = Object.fromEntries(fields)
  return Object.keys(found).length === fields.size ? found : undefined
}

/** In one piece with its header. As it is: a page was made in the answer's own form (handlers/Reading). */
const sendPage = (response: ServerResponse, page: ListPage) => {
  const text = JSON.stringify(page)
  const length = Buffer.byteLength(text)
  // Where each character is a byte they are as they stand.
  response
    .writeHead(200, { "content-type": "application/json", "content-length": length })
    .end(text, length === text.length ? "latin1" : "utf8")
}
