/** A fresh installation of all daemons behind the gateway, without further settings, and its callers. */
import { Context, Effect, Layer, Schedule } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { HttpApi } from "effect/http-api"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { top } from "#core/http/Api.ts"
import { daemons } from "#daemons/Suite.ts"
import { type Answer, type CallOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

/** The first admin. */
export const account = { email: "anna@example.org", password: "a walk in the park 7" }

export class Installation extends Context.Service<
  Installation,
  {
    readonly suite: TestSuite
    /** Headers of a service token of the platform scope. */
    readonly platform: Readonly<Record<string, string>>
    /** Headers of a signed-in admin of the provider's tenant. */
    readonly admin: Readonly<Record<string, string>>
    readonly adminId: number
  }
>()("test/contract/Installation") {
  static readonly layer = Layer.effect(
    Installation,
    Effect.gen(function* () {
      // The only settings: the suite calls more often than one person does.
      const suite = yield* startSuite({
        daemons,
        gateway: true,
        env: { SIGNALBOX_GATEWAY_RATE: "100000", SIGNALBOX_GATEWAY_BURST: "100000", AUTH_RATE_LIMIT_MAX: "10000" }
      })
      const platform = { "x-service-token": yield* suite.token }
      const created = yield* answered(
        suite.call("POST", "/api/v1/users", { headers: platform, body: { ...account, name: "Anna", role: "admin" } })
      )
      if (created.status !== 201) return yield* Effect.die(new Error(`no admin: ${created.text}`))
      const login = yield* answered(suite.call("POST", "/api/v1/auth/login", { body: account }))
      return {
        suite,
        platform,
        admin: { authorization: `Bearer ${login.json.access_token}` },
        adminId: created.json.id
      }
    })
  )
}

/** Repeats a call while the starting installation answers 503. */
const answered = (call: Effect.Effect<Answer>): Effect.Effect<Answer> =>
  Effect.flatMap(call, (answer) =>
    answer.status === 503 ? Effect.andThen(Effect.sleep("200 millis"), answered(call)) : Effect.succeed(answer)
  )

/** An endpoint of a daemon. */
export interface Endpoint {
  /** Method and path template, such as `GET /api/v1/things/:id`. */
  readonly name: string
  readonly daemon: string
  readonly method: string
  readonly path: string
  readonly declared: HttpApiEndpoint.Top
  /** Encodings of the body. Empty: no body. */
  readonly bodies: ReadonlyArray<string>
  readonly isForUsers: boolean
  readonly hasForeignBody: boolean
}

/** All endpoints of all daemons. */
export const endpoints: ReadonlyArray<Endpoint> = daemons.flatMap(({ api, name: daemon }) => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(top(api), {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      found.push({
        name: `${endpoint.method} ${endpoint.path}`,
        daemon,
        method: endpoint.method,
        path: endpoint.path,
        declared: endpoint,
        bodies: Array.from(endpoint.payload.values(), ({ encoding }) => encoding._tag),
        isForUsers: Context.get(mergedAnnotations, UsersOnly),
        hasForeignBody:
          Context.getOrUndefined(mergedAnnotations, HttpApi.PayloadParseOptions)?.onExcessProperty !== "error"
      })
    }
  })
  return found
})

/** Whether the answer says that the database was late, as on busy cores. A client asks again then. */
const isLate = ({ json, status }: Answer) => status === 503 && json?.code === "unavailable"

/** Calls an endpoint as somebody who may, with `path` in place of its template. */
export const callAs = (
  endpoint: Endpoint,
  path: string,
  options: CallOptions & { readonly method?: string } = {}
): Effect.Effect<Answer, never, Installation> =>
  Effect.flatMap(Installation, ({ admin, platform, suite }) =>
    suite
      .call(options.method ?? endpoint.method, path, {
        ...options,
        headers: { ...(endpoint.isForUsers ? admin : platform), ...options.headers },
        of: suite.suite.addresses.has(endpoint.daemon) ? endpoint.daemon : "gateway"
      })
      .pipe(Effect.repeat({ while: isLate, times: 2, schedule: Schedule.spaced("200 millis") }))
  )

/** The path of the template with `value` for each parameter. */
export const filled = (template: string, value: (name: string) => string): string =>
  template.replace(/:(\w+)/g, (_, name: string) => value(name))
