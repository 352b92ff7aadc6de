/** The whole set-up of an account by `signalbox bank account` and `signalbox bank keys`. */
import { describe, expect, layer } from "@effect/vitest"
import { Console, Effect, Option } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Environment } from "#core/config/Environment.ts"
import * as KeyOperator from "#daemons/bank-fetcher/accounts/KeyOperator.ts"
import * as Operator from "#daemons/bank-fetcher/accounts/Operator.ts"
import { iban } from "../Fetcher.ts"
import { BankSite } from "./BankSite.ts"

const none = Option.none<string>()
const noFields = { bic: none, holder: none, host: none, partner: none, user: none, url: none, version: none }
const others = { signature: none, bits: none, daily: none, intraday: none, orders: none, fetch: none }

describe("signalbox bank", () => {
  layer(BankSite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "adds an account, sets up its keys, and gives the daemon the passphrase",
      Effect.fnUntraced(function* () {
        const { bank, base, env, sql, url } = yield* BankSite
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "bank-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        const [file, wrong] = [join(folder, "passphrase"), join(folder, "wrong")]
        writeFileSync(file, "correct horse battery\n")
        writeFileSync(wrong, "incorrect horse battery\n")
        /** What a command prints, as JSON; or its refusal. */
        const run = Effect.fnUntraced(function* <E, R>(command: Effect.Effect<void, E, R>) {
          const printed: Array<unknown> = []
          const recorder = { ...console, log: (text: unknown) => void printed.push(text), error: () => {} }
          const result = yield* Effect.result(
            command.pipe(
              Effect.provideService(Environment, env),
              Effect.provideService(Console.Console, recorder as typeof console)
            )
          )
          return (
            result._tag === "Failure"
              ? (result.failure as { readonly message: string }).message
              : JSON.parse(String(printed[0]))
          ) as any
        })
        const user = bank.agree("PARTNER", "CLI")
        const which = ` ${iban(900).toLowerCase()}`
        const one = { which, json: true }
        const ids = { host: Option.some("EBIXHOST"), partner: Option.some("PARTNER"), user: Option.some("CLI") }
        const create = (number: string) =>
          run(
            Operator.create({
              ...noFields,
              ...others,
              ...ids,
              name: "By command",
              iban: number,
              currency: none,
              tenant: Option.some(51),
              url: Option.some(url),
              bits: Option.some("2048"),
              json: true
            })
          )
        expect(yield* create(`${iban(900)}0`)).toContain("iban is not an IBAN")
        const account = yield* create(iban(900))
        expect(account).toMatchObject({ tenant_id: 51, iban: iban(900), key_bits: 2048 })
        const changes = {
          ...noFields,
          ...others,
          name: none,
          bic: Option.some("COBADEFF"),
          fetch: Option.some("false")
        }
        expect(yield* run(Operator.update({ ...changes, ...one }))).toMatchObject({
          bic: "COBADEFF",
          fetch_enabled: false
        })
        const ordersAs = (orders: string) =>
          run(Operator.update({ ...noFields, ...others, name: none, orders: Option.some(orders), ...one }))
        const service = { name: "EOP", message: "camt.053" }
        for (const [orders, stored] of [
          [
            "daily:C53,intraday:C52",
            [
              { kind: "daily", order: "C53" },
              { kind: "intraday", order: "C52" }
            ]
          ],
          [JSON.stringify([{ kind: "daily", order: "Z53", service }]), [{ kind: "daily", order: "Z53", service }]],
          ["", null]
        ] as const)
          expect((yield* ordersAs(orders)).order_types).toEqual(stored)
        for (const wrong of ["C53", "daily:c53", "[{]", "weekly:C53"])
          expect(typeof (yield* ordersAs(wrong)), wrong).toBe("string")
        const listed = yield* run(Operator.list({ tenant: Option.some(51), all: false, limit: 50, json: true }))
        expect(listed.map(({ id }: any) => id)).toEqual([account.id])

        const passphraseFile = Option.some(file)
        expect(yield* run(KeyOperator.step("ini", one))).toContain("needs the key status keys_generated")
        expect(yield* run(KeyOperator.init({ ...one, passphraseFile }))).toMatchObject({ with_passphrase: true })
        for (const [name, status] of [
          ["ini", "ini_sent"],
          ["hia", "hia_sent"]
        ] as const)
          expect((yield* run(KeyOperator.step(name, one))).key_status).toBe(status)
        const output = join(folder, "letter.pdf")
        yield* run(KeyOperator.letter({ ...one, output, lang: "de" }))
        expect(readFileSync(output).subarray(0, 5).toString()).toBe("%PDF-")
        bank.release(user)

        // A command does not have the passphrase; the daemon gets it.
        const withoutIt = { ...one, passphraseFile: none }
        expect(yield* run(KeyOperator.bankStep("activate", withoutIt))).toContain("passphrase")
        expect(yield* run(KeyOperator.bankStep("activate", { ...one, passphraseFile }))).toMatchObject({
          key_status: "active",
          next: "accept"
        })
        const unlock = { ...one, url: Option.some(base("bank-fetcher")) }
        const refused = yield* run(KeyOperator.unlock({ ...unlock, passphraseFile: Option.some(wrong) }))
        expect(refused).toBe("The passphrase is wrong.")
        expect(yield* run(KeyOperator.unlock({ ...unlock, passphraseFile }))).toMatchObject({ locked: false })

        const actors = yield* sql<{ actor: string }>`select distinct actor from core.audit
          where entity_id = ${account.id} and action <> 'bank_account.unlock_refused'
          and action <> 'bank_account.keys_unlocked'`
        expect(actors).toEqual([{ actor: "operator" }])
        const reset = yield* run(KeyOperator.reset({ ...one, confirm: iban(900) }))
        expect(reset).toMatchObject({ key_status: "pending", own_keys: [] })
        expect(yield* run(Operator.deactivate(one))).toMatchObject({ active: false })
        expect(yield* run(Operator.show(one))).toContain("There is no active account")
        const shown = yield* run(Operator.show({ which: account.id, json: true }))
        expect(shown).toMatchObject({ account: { active: false }, keys: { next: "reactivate" } })
      }),
      // Reason: making the keys, and opening them with the passphrase several times, takes seconds.
      120_000
    )
  })
})
