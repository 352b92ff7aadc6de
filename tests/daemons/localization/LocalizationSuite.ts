/** A localization daemon with users of several tenants, and common calls. */
import { Effect, type Scope } from "effect"
import { localization } from "#daemons/localization/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { LibreTranslateDouble, type LibreTranslateOptions } from "#support/LibreTranslateDouble.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

export const prefix = "/api/v1/i18n"

/** Starts the daemon. The console's own texts are there only when the console was built, so they are removed. */
export const startLocalization = (options: Partial<StartOptions> = {}) =>
  Effect.tap(
    startSuite({ daemons: [localization], verifier: fakeUsers, ...options }),
    ({ sql }) => sql`delete from localization.source_text where shipped is not null`
  )

/** A user of `tenant` with all permissions, or only `held`. */
export const as = (tenant: number, held = "*") => ({ authorization: `Bearer user:${tenant}:${held}` })

/** Calls below `/api/v1/i18n/admin`. Default: as an admin of the provider. */
export const adminOf = (suite: TestSuite, headers: Record<string, string> = as(1)) => {
  const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    suite.call(method, `${prefix}/admin${path}`, {
      of: "localization",
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body })
    })
  return {
    send,
    get: (path: string) => send("GET", path),
    put: (locale: string, key: string, value: unknown) => send("PUT", `/translations/${locale}/${key}`, { value }),
    post: (path: string, body: unknown = {}) => send("POST", path, body),
    remove: (path: string) => send("DELETE", path)
  }
}

/** The public answer of a path, without credentials. */
export const read = (suite: TestSuite, path: string, headers: Record<string, string> = {}) =>
  suite.call("GET", `${prefix}${path}`, { of: "localization", headers })

/** A translation server; the end of the scope stops it. */
export const startEngine = (
  options: LibreTranslateOptions = {}
): Effect.Effect<{ readonly engine: LibreTranslateDouble; readonly url: string }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const engine = new LibreTranslateDouble(options)
      return { engine, url: await engine.start() }
    }),
    ({ engine }) => Effect.promise(() => engine.stop())
  )

/** Registers English texts by SQL, as many as there are. */
export const sources = ({ sql }: TestSuite, texts: Readonly<Record<string, string>>) =>
  Effect.andThen(
    sql`insert into localization.source_text (key, override)
      select key, value from jsonb_each_text(${JSON.stringify(texts)}::text::jsonb)
      on conflict (key) do update set override = excluded.override`,
    sql`select pg_notify('signalbox', 'localization texts')`
  )
