/** `signalbox bank fetch` and `bank fetches`, beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option } from "effect"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as Operator from "#daemons/bank-fetcher/fetching/Operator.ts"
import { startBank, startFetching } from "./Fetching.ts"

const none = { from: Option.none(), to: Option.none(), order: Option.none(), wait: true, json: false }
const all = { account: Option.none(), state: Option.none(), tenant: Option.none(), limit: 50, json: false }

it.live("an operator fetches statements, sees the progress, and lists what was fetched", () =>
  Effect.gen(function* () {
    const place = yield* startFetching()
    const to = yield* startBank({ segments: 3 })
    const account = yield* place.account(to)
    const out: Array<string> = []
    const progress: Array<string> = []
    const console = {
      ...globalThis.console,
      log: (text: string) => void out.push(text),
      error: (text: string) => void progress.push(text)
    }
    const ran = <A, E>(command: Effect.Effect<A, E>) => {
      out.length = 0
      return Effect.exit(
        command.pipe(Effect.provideService(Environment, place.env), Effect.provideService(Console.Console, console))
      )
    }
    to.bank.offer("C53", Buffer.from("<Document/>"))
    expect(Exit.isSuccess(yield* ran(Operator.fetch({ ...none, account: account.iban })))).toBe(true)
    expect(out[0]).toMatch(/^fetch [0-9a-f-]{36}: done$/)
    expect(out[1]).toBe("  C53: done, 1 files, 1 of them new")
    expect(progress.some((line) => line === "waiting for its turn" || line.startsWith("C53"))).toBe(true)

    yield* ran(Operator.fetches(all))
    expect(out).toHaveLength(2)
    expect(out[1]).toMatch(new RegExp(`${account.iban} +manual +done +1 +1`))
    yield* ran(Operator.fetches({ ...all, state: Option.some("failed"), json: true }))
    expect(JSON.parse(out[0]!)).toEqual([])

    // What is refused is said in words, with an exit code.
    const refused = (flags: object, which: string = account.id) =>
      ran(Operator.fetch({ ...none, account: which, ...flags }))
    expect(String(yield* refused({}, "DE00"))).toContain("does not exist")
    expect(String(yield* refused({ to: Option.some("2026-01-01") }))).toContain("--from is required")
    yield* place.sql`update bank_fetcher.account set key_status = 'suspended'`
    expect(String(yield* refused({}))).toContain("The account is suspended.")
    yield* place.sql`update bank_fetcher.account set key_status = 'active'`
    account.user.state = "Locked"
    const failed = yield* refused({ json: true })
    expect(Exit.isFailure(failed)).toBe(true)
    expect(JSON.parse(out[0]!)).toMatchObject({ state: "failed", requested_by: "operator" })
  }).pipe(Effect.scoped)
)
