/** The daemon with users of any tenant, and what the tests of statements ask it. */
import { Effect } from "effect"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { ownIban } from "#support/bank/StatementFiles.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { untilWithin } from "#support/Within.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

export const prefix = "/api/v1/crm/ebics"

/** Longest wait for a file to be read. Unit: seconds. */
const patience = 60

export const as = (tenant: number, permission = "*") => ({
  headers: { authorization: `Bearer user:${tenant}:${permission}` }
})

export const startStatements = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startSuite({ daemons: [bankFetcher], verifier: fakeUsers, ...options })
  return { ...suite, ...calls(suite) }
})

const calls = (suite: TestSuite) => {
  const get = (path: string, tenant = 1) => suite.call("GET", `${prefix}${path}`, { headers: as(tenant).headers })

  /** Uploads a file without waiting for its reading. */
  const upload = (file: string | Uint8Array, { query = "", tenant = 1 } = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${suite.base()}${prefix}/statements/import?${query}`, {
        method: "POST",
        headers: { ...as(tenant).headers, "content-type": "application/octet-stream" },
        body: file as BodyInit
      })
      return { status: response.status, json: (await response.json()) as any }
    })

  /** Waits until a file was read, and returns it. */
  const readFile = (id: string, tenant = 1) =>
    Effect.gen(function* () {
      yield* untilWithin(
        patience,
        "the file is read",
        Effect.map(get(`/files/${id}`, tenant), ({ json }) => json.state !== "waiting")
      )
      return (yield* get(`/files/${id}`, tenant)).json
    })

  /** Uploads a file and waits for its reading. */
  const imported = (file: string | Uint8Array, options: { query?: string; tenant?: number } = {}) =>
    Effect.gen(function* () {
      const { json, status } = yield* upload(file, options)
      if (status !== 202) return yield* Effect.die(new Error(`${status} ${JSON.stringify(json)}`))
      const files: Array<any> = []
      for (const { duplicate, file: one } of json.files)
        files.push({ ...(yield* readFile(one.id, options.tenant)), duplicate })
      return files
    })

  const items = (path: string, tenant = 1) => Effect.map(get(path, tenant), ({ json }) => json.items as Array<any>)

  /** Inserts an account, as its feature does. */
  const account = (iban = ownIban, tenant = 1, currency = "EUR") =>
    Effect.map(
      suite.sql<{ id: string }>`insert into bank_fetcher.account (tenant_id, name, iban, currency)
        values (${tenant}, 'Giro', ${iban}, ${currency}) returning id`,
      ([row]) => row!.id
    )

  const readAgain = (id: string) => suite.call("POST", `${prefix}/files/${id}/parse`, { headers: as(1).headers })

  return { account, get, imported, items, readAgain, readFile, suiteCall: suite.call, upload }
}
