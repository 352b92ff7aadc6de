/**
 * status-checker over a real database, with files of its own, and a client that sends what it is told and nothing else.
 */
import { Effect, type Scope } from "effect"
import { request } from "node:http"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { type FreshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
  readonly json: any
}

export interface Place {
  readonly suite: TestSuite
  readonly folder: string
  /** `headers` are all there are beside Host. */
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>, method?: string) => Effect.Effect<Answer>
  /** `/health`, asked by this machine's own name: its details are shown also while the database is away. */
  readonly askHealth: Effect.Effect<Answer>
  readonly writeIncidents: (incidents: ReadonlyArray<unknown>) => void
}

export const services = [
  { id: "mail", name: "Post", name_en: "Mail", group: "Büro" },
  { id: "web", name: "Netz & <Seiten>", name_en: "Web & <sites>" }
]

export const filed = {
  id: "2026-disk",
  title: "Platte träge",
  title_en: "Slow disk",
  status: "resolved",
  severity: "minor",
  components: ["web"],
  created_at: "2026-01-02T03:00:00Z",
  resolved_at: "2026-01-02T05:00:00Z",
  updates: [{ status: "resolved", message: "Getauscht.", message_en: "Replaced.", timestamp: "2026-01-02T05:00:00Z" }]
}

export const startPlace = (
  env: Readonly<Record<string, string>> = {},
  database?: FreshDatabase
): Effect.Effect<Place, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory()
    const writeIncidents = (incidents: ReadonlyArray<unknown>) =>
      writeFileSync(join(folder, "incidents.json"), JSON.stringify({ incidents }))
    writeFileSync(join(folder, "services.json"), JSON.stringify({ services }))
    writeIncidents([filed])
    const suite = yield* startSuite({
      daemons: [statusChecker],
      env: {
        SERVICES_FILE: join(folder, "services.json"),
        INCIDENTS_FILE: join(folder, "incidents.json"),
        BASE_URL: "https://status.example.org",
        ...env
      },
      ...(database === undefined ? {} : { database })
    })
    const { hostname, port } = new URL(suite.base("status-checker"))
    return {
      suite,
      folder,
      writeIncidents,
      ask: (path, headers, method) => ask({ hostname, port: Number(port) }, path, headers, method),
      askHealth: ask({ hostname, port: Number(port) }, "/health", { host: `localhost:${port}` })
    }
  })

export const ask = (
  to: { readonly hostname: string; readonly port: number },
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET"
): Effect.Effect<Answer> =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        request(
          { ...to, path, method, headers: { host: "status.example.org", ...headers }, agent: false },
          (response) => {
            const chunks: Array<Buffer> = []
            response
              .on("data", (chunk: Buffer) => void chunks.push(chunk))
              .on("end", () => {
                const bytes = Buffer.concat(chunks)
                const text = bytes.toString()
                resolve({
                  status: response.statusCode!,
                  headers: response.headers as Record<string, string>,
                  bytes,
                  text,
                  json: parsed(text)
                })
              })
          }
        )
          .on("error", reject)
          .end()
      })
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
