/** Requests of browsers and proxies to edge-auth. Follows no redirects. */
import { Context, Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"

export const base = "https://auth.example.org"

export class Place extends Context.Service<Place, TestSuite>()("test/Place") {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request like nginx with a browser behind it. Follows no redirect. */
export const ask = (
  method: string,
  path: string,
  {
    form,
    headers = {}
  }: { readonly form?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>> } = {}
) =>
  Effect.flatMap(Place, (suite) =>
    Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(`${suite.base("edge-auth")}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin: base }),
          ...headers
        },
        ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() })
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  )

export const formCookie = "__Host-edge_form"
export const cookieOf = ({ headers }: Answer, name: string) =>
  headers
    .getSetCookie()
    .map((line) => new RegExp(`^${name}=([^;]*)`).exec(line)?.[1])
    .find((value) => value !== undefined)

/** Query with the one-time link of the first user, as the start prints it; empty when somebody is registered. */
const firstLink = Effect.flatMap(Place, ({ suite }) =>
  Effect.map(suite.daemon("edge-auth")!.greeting({ base, gateway: false }), (lines) =>
    lines.map(({ text }) => /\?first=[0-9a-f]{64}\b/.exec(text)?.[0] ?? "").join("")
  )
)

let registrations = 0
/** An address for each registration, because one address may register only a few users. */
const nextAddress = () => {
  registrations += 1
  return `198.18.${registrations >> 8}.${registrations & 255}`
}

/** Registers with the link when the user is the first. */
export const register = (email: string, name: string) =>
  Effect.flatMap(firstLink, (query) =>
    submit(`/register${query}`, { email, name, password }, { address: nextAddress() })
  )

/** Submits a form with the cookie and the token of its page. */
export const submit = Effect.fnUntraced(function* (
  path: string,
  fields: Readonly<Record<string, string>>,
  { address = "203.0.113.1", session = "" } = {}
) {
  const cookies = (form: string) => `${formCookie}=${form}${session === "" ? "" : `; __platform_auth=${session}`}`
  const token = cookieOf(
    yield* ask("GET", path.startsWith("/login") || path.startsWith("/register") ? path : "/login"),
    formCookie
  )!
  const send = ask("POST", path, {
    form: { ...fields, form_token: token },
    headers: { cookie: cookies(token), "x-forwarded-for": address }
  })
  // On a loaded machine password hashing may time out with 503. Users submit again, and so does this helper.
  let answer = yield* send
  for (let again = 0; again < 5 && answer.status === 503; again++) answer = yield* send
  return answer
})

export const verify = (
  host: string,
  uri: string,
  {
    query = "",
    session = "",
    ...more
  }: { readonly query?: string; readonly session?: string; readonly [header: string]: string } = {}
) =>
  ask("GET", `/verify${query}`, {
    headers: {
      "x-forwarded-host": host,
      "x-forwarded-uri": uri,
      "x-forwarded-proto": "https",
      ...(session === "" ? {} : { cookie: `__platform_auth=${session}` }),
      ...more
    }
  })

export const signIn = (email: string, password: string, options: { readonly address?: string } = {}) =>
  submit("/login", { email, password }, options)

export const password = "correct horse battery"
