/**
 * Serves the list of a folder on the fast lane. This file bypasses the router and the handlers of Effect's HttpApi,
 * because they take as long for a page as the mail server does. Through them a page of a folder with 100,000 messages
 * takes 1.1 to 1.3 times as long, and the same page again 1.3 to 1.6 times (`bench mail-watcher`, three pairs of runs).
 *
 * The lane answers only when caller, account and page are known from memory. Every other request passes to the ordinary
 * handler, which also explains invalid requests. Refusals of the mail server are answered here.
 */
import { Cause, Effect, Exit, Schema } from "effect"
import type { ServerResponse } from "node:http"
import * as CallerNow from "#core/auth/CallerNow.ts"
import { pass } from "#core/lane/FastLane.ts"
import { sendOwn } from "#core/http/NodeProblem.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { Lane } from "#core/lane/Lane.ts"
import { remembering } from "#core/lane/Remembering.ts"
import { AccountsProjection, MailSessions } from "../accounts/Exports.ts"
import { type Source, readerNowOf, readerOf } from "./AccountReader.ts"
import { list } from "./Api.ts"
import { type ListPage, listPage } from "./list/MessageList.ts"

const path = "/api/v1/mail/webmail/messages/"

/** Registers the handler. */
export const registerListLane = Effect.gen(function* () {
  const accounts = yield* AccountsProjection
  const sessions = yield* MailSessions
  const [read, readNow] = [readerOf(sessions), readerNowOf(sessions)]
  const callerNow = yield* CallerNow.make
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  /** Runs `work` until the response is sent or the client disconnects. */
  const run = (work: Effect.Effect<void>, response: ServerResponse) =>
    new Promise<void>((resolve, reject) => {
      const fiber = fork(work)
      response.once("close", () => fiber.interruptUnsafe())
      fiber.addObserver((exit) =>
        Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? resolve() : reject(Cause.squash(exit.cause))
      )
    })

  yield* Lane.handle(`GET ${path}:folder`, ({ headers, url = "" }, response) => {
    const target = targetOf(url)
    if (target === undefined) return pass
    const caller = callerNow(headers, list.needed)
    const account = caller === undefined ? undefined : accounts.accountNow(caller, target.account)
    if (account === undefined) return pass
    const page = (source: Source) => listPage(source, target.folder, target)
    const readWithFiber = () =>
      run(
        Effect.match(read(account, page), {
          onSuccess: (found) => sendPage(response, found),
          onFailure: (problem) => sendOwn(response, problem)
        }),
        response
      )
    // A fiber would take a tenth of the page's time.
    return readNow(account, page)?.then((found) => sendPage(response, found), readWithFiber) ?? readWithFiber()
  })
})

/**
 * Cached request targets and their maximal length. Units: targets, characters. Reason: parsing costs as much as
 * identifying the caller.
 */
const cachedTargets = { count: 1000, length: 256 }

const decodeParams = Schema.decodeUnknownExit(list.params)
const decodeQuery = Schema.decodeUnknownExit(list.query)

/** The requested page of a whole folder. Undefined for filtered or sorted lists and for invalid requests. */
const targetOf = (url: string) => (url.length <= cachedTargets.length ? cachedTarget(url) : readTarget(url))

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

const cachedTarget = remembering(cachedTargets.count, readTarget)

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Query fields by name. Undefined when a field occurs twice. */
const fieldsOf = (text: string): Record<string, string> | undefined => {
  const fields = new URLSearchParams(text)
  const found: Record<string, string> = Object.fromEntries(fields)
  return Object.keys(found).length === fields.size ? found : undefined
}

/** Sends header and body in one write. `listPage` already returns the encoded form, so no schema runs. */
const sendPage = (response: ServerResponse, page: ListPage) => {
  const text = JSON.stringify(page)
  const length = Buffer.byteLength(text)
  // All characters are single bytes: latin1 needs no conversion.
  response
    .writeHead(200, { "content-type": "application/json", "content-length": length })
    .end(text, length === text.length ? "latin1" : "utf8")
}
