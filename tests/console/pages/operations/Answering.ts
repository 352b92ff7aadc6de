/**
 * Answers of watchdog for the tests of its pages, typed by the declarations of its endpoints. The pages show states
 * that a real machine reaches only in an accident: a broken backup, CrowdSec away, forty alerts of one host.
 */
import type { Page } from "playwright-core"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import type { ConsoleOptions } from "#support/console/Console.ts"
import type { Answer, EndpointName } from "../../../../console/lib/Endpoints.ts"
import { speak } from "../bank/Bank.ts"

/** Daemons that sign users in and serve the console. */
export const signedInConsole: ConsoleOptions = { daemons: [identity, commDispatcher] }

export interface Asked {
  /** Name of the endpoint. */
  readonly name: string
  /** Values of the path's parameters. */
  readonly params: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly payload: any
}

export interface Refusal {
  readonly status: number
  readonly problem: Readonly<Record<string, unknown>>
}

/** An answer, or a function of the request. */
export type Answers = {
  readonly [Name in EndpointName]?: Answer<Name> | ((asked: Asked) => Answer<Name> | Refusal)
}

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .slice(name.indexOf(" ") + 1)
      .replaceAll("/", "\\/")
      .replace(/:\w+/g, "([^/]+)")}\\/?$`
  )

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" &&
  value !== null &&
  "problem" in value &&
  "status" in value &&
  typeof value.status === "number"

/**
 * Answers the page's requests to these endpoints; others reach the daemons. Returns the requests so far, and `add` to
 * change answers.
 */
export const answering = async (page: Page, first: Answers) => {
  const asked: Array<Asked> = []
  let answers: Answers = first
  await page.route(
    (url) => url.pathname.startsWith("/api/v1/"),
    async (route) => {
      const request = route.request()
      const url = new URL(request.url())
      for (const [name, answer] of Object.entries(answers)) {
        const found = name.startsWith(`${request.method()} `) ? patternOf(name).exec(url.pathname) : null
        if (found === null) continue
        const one: Asked = {
          name,
          params: found.slice(1).map(decodeURIComponent),
          query: url.searchParams,
          payload: request.postDataJSON()
        }
        asked.push(one)
        const value: unknown = typeof answer === "function" ? (answer as (asked: Asked) => unknown)(one) : answer
        if (isRefusal(value))
          return route.fulfill({
            status: value.status,
            contentType: "application/problem+json",
            body: JSON.stringify({ status: value.status, ...value.problem })
          })
        if (typeof value === "string") return route.fulfill({ contentType: "text/event-stream", body: value })
        return value === undefined ? route.fulfill({ status: 204 }) : route.fulfill({ json: value })
      }
      return route.fallback()
    }
  )
  return {
    asked: (name: EndpointName) => asked.filter((one) => one.name === name),
    add: (more: Answers) => void (answers = { ...answers, ...more })
  }
}

/** Checks a page in both languages and returns to English. */
export const check = async (page: Page, name: string) => {
  await checkPage(page, name)
  await speak(page, "en")
}

/** The time `ago` milliseconds ago, ISO 8601. */
export const before = (ago: number): string => new Date(Date.now() - ago).toISOString()

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export type Stub = Awaited<ReturnType<typeof answering>>
