/** status-checker with files and a relay of the test's own, for tests of subscribers and their mails. */
import { Effect, References } from "effect"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { type FreshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

export const base = "https://status.example.test"

export interface Incident {
  readonly id: string
  readonly title?: string
  readonly title_en?: string
  readonly status?: string
  readonly severity?: string
  readonly components?: ReadonlyArray<string>
  readonly updates: ReadonlyArray<{
    readonly at: string
    readonly status?: string
    readonly message?: string
    readonly message_en?: string
  }>
}

/** INCIDENTS_FILE with these. */
export const incidentsText = (incidents: ReadonlyArray<Incident>): string =>
  JSON.stringify({
    incidents: incidents.map(
      ({
        components = [],
        id,
        severity = "major",
        status = "investigating",
        title = `Störung ${id}`,
        title_en = `Incident ${id}`,
        updates
      }) => ({
        id,
        title,
        title_en,
        status,
        severity,
        components,
        created_at: updates[0]?.at ?? "2026-01-01T00:00:00Z",
        resolved_at: status === "resolved" ? updates.at(-1)!.at : null,
        updates: updates.map(
          ({ at, message = "Wir sehen nach.", message_en = "We are looking into it.", status: said = status }) => ({
            timestamp: at,
            status: said,
            message,
            message_en
          })
        )
      })
    )
  })

const services = JSON.stringify({
  components: [
    { id: "mail", name: "E-Mail", name_en: "Mail", container: "mail" },
    { id: "web", name: "Webseiten", name_en: "Websites", container: "web" }
  ]
})

/** Written whole or not at all, as careful editors do. */
export const replaceFile = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

export interface RigOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly incidents?: ReadonlyArray<Incident>
  readonly database?: FreshDatabase
  readonly sink?: MailSink.MailSink
}

export const mailRig = Effect.fnUntraced(function* (options: RigOptions = {}) {
  const sink = options.sink ?? (yield* MailSink.make())
  const folder = yield* temporaryDirectory("status")
  const [servicesFile, incidentsFile] = [join(folder, "services.json"), join(folder, "incidents.json")]
  writeFileSync(servicesFile, services)
  writeFileSync(incidentsFile, incidentsText(options.incidents ?? []))
  const suite = yield* startSuite({
    daemons: [statusChecker],
    ...(options.database === undefined ? {} : { database: options.database }),
    env: {
      SERVICES_FILE: servicesFile,
      INCIDENTS_FILE: incidentsFile,
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(sink.port),
      MAIL_FROM: "status@example.test",
      BASE_URL: base,
      // Nothing listens there; components stay as they are.
      SIGNALBOX_CONTAINER_SOCKET: join(folder, "none.sock"),
      ...options.env
    }
    // What fails on purpose is not to fill the run's output.
  }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal"))
  const { sql } = suite
  // Before, all that is in the file would be passed over.
  yield* until(
    "what was there at first is passed over",
    Effect.map(sql`select 1 from status_checker.imports where source = 'first start'`, (rows) => rows.length > 0)
  )
  const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address))
  const post = (
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    suite.call("POST", path, {
      body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
    })
  return {
    suite,
    sink,
    sql,
    mailsTo,
    post,
    subscribe: (body: unknown, headers: Readonly<Record<string, string>> = {}, query = "") =>
      suite.call("POST", `/api/v1/subscribe${query}`, { body, headers }),
    /** Changes INCIDENTS_FILE. */
    write: (incidents: ReadonlyArray<Incident>) =>
      Effect.sync(() => replaceFile(incidentsFile, incidentsText(incidents))),
    writeText: (text: string) => Effect.sync(() => replaceFile(incidentsFile, text)),
    /** The mails to an address, once there are so many. */
    received: (address: string, count = 1) =>
      Effect.as(
        until(
          `${count} mails to ${address}`,
          Effect.sync(() => mailsTo(address).length >= count),
          20
        ),
        undefined
      ).pipe(Effect.map(() => mailsTo(address))),
    /** Confirmed as by their link; answers the address. */
    confirmed: Effect.fnUntraced(function* (
      email: string,
      lang: "de" | "en",
      components: ReadonlyArray<string> | null = null
    ) {
      const answer = yield* suite.call("POST", "/api/v1/subscribe", { body: { email, lang, components } })
      if (answer.status !== 202) return yield* Effect.die(new Error(`${answer.status} ${answer.text}`))
      yield* until(
        `the confirmation to ${email}`,
        Effect.sync(() => mailsTo(email).length > 0)
      )
      const link = linkIn(mailsTo(email)[0]!.mail.text ?? "", "/subscribe/confirm")
      yield* suite.call("POST", pathOf(link))
      return email
    })
  }
})

/** The address that leads to `path`. */
export const linkIn = (text: string, path: string): string => {
  const found = new RegExp(`https?://[^\\s<>"]*${path}\\?[^\\s<>"]*`).exec(text)?.[0]
  if (found === undefined) throw new Error(`no link to ${path} in ${text}`)
  return found.replaceAll("&amp;", "&")
}

export const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link)
  return pathname + search
}
