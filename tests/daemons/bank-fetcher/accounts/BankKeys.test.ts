/** Changed keys of the bank, the kinds of digest, and what the bank lets the account fetch. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { testKeys } from "#support/bank/TestKeys.ts"
import { until } from "#support/Frame.ts"
import { abandonedCall, slowCommit } from "#support/SlowCommit.ts"
import { as, iban, refusal } from "../Fetcher.ts"
import { BankSite, place, tenant } from "./BankSite.ts"
import { hashOf } from "./Hashes.ts"

/** Gives the bank its first keys back at the end. */
const withKeys = <A, E, R>(keys: object, use: Effect.Effect<A, E, R>) =>
  Effect.flatMap(BankSite, ({ bank }) => {
    const before = { ...bank.keys }
    return Effect.acquireUseRelease(
      Effect.sync(() => Object.assign(bank.keys, keys)),
      () => use,
      () => Effect.sync(() => Object.assign(bank.keys, before))
    )
  })

describe("keys of the bank", () => {
  layer(BankSite.layer, { excludeTestServices: true })((it) => {
    it.effect.each([
      // The bank states 091008, signed with its old key.
      ["encryption", "E002"],
      // A bank with a new authentication key signs with it, so its refusal cannot be verified.
      ["authentication", "X002"]
    ] as const)(
      "stop the account when the key for %s changed, until a person accepts both hashes",
      Effect.fnUntraced(function* ([changed]) {
        const { accept, calls, own, setUp, status, step } = yield* place()
        yield* setUp
        yield* withKeys(
          { [changed]: testKeys.other },
          Effect.gen(function* () {
            expect((yield* calls.post(`${own}/permissions`)).status).toBeGreaterThanOrEqual(409)
            const stopped = yield* status
            expect(stopped).toMatchObject({ stopped: "bank_keys_changed", next: "accept", ready: false })
            const { accepted, offered } = stopped.bank_keys
            const text = (key: any) => key.hash.join("").replaceAll(" ", "")
            expect(text(offered[changed])).toBe(hashOf(testKeys.other))
            expect(text(accepted[changed])).not.toBe(hashOf(testKeys.other))
            expect(refusal(yield* calls.post(`${own}/permissions`))).toEqual([409, "account_unfit"])
            expect(refusal(yield* step("resume"))).toEqual([409, "account_unfit"])
            expect((yield* accept).json).toMatchObject({ stopped: null, ready: true, bank_keys: { offered: null } })
            expect((yield* calls.post(`${own}/permissions`)).status).toBe(200)
          })
        )
      })
    )

    it.effect(
      "that a person fetches again stop nothing while they are the same",
      Effect.fnUntraced(function* () {
        const { setUp, step } = yield* place()
        expect(refusal(yield* step("bank/refresh"))).toEqual([409, "wrong_step"])
        yield* setUp
        expect((yield* step("bank/refresh")).json).toMatchObject({ stopped: null, ready: true, next: null })
      })
    )

    it.effect(
      "are digested the other way when the bank refuses the first, which is tried once and remembered",
      Effect.fnUntraced(function* () {
        const { bank, calls, own, setUp, sql, account } = yield* place()
        yield* setUp
        const codes = Effect.fnUntraced(function* () {
          const before = bank.calls.length
          const { json, status } = yield* calls.post(`${own}/permissions`)
          return [status, json.code ?? json.digest_kind, bank.calls.slice(before).map(({ code }) => code)]
        })
        bank.digestKind = "certificate"
        // The refusal, HPB, and then HTD with its receipt and HAA.
        expect(yield* codes()).toEqual([200, "certificate", ["091008", "000000", "000000", "011000", "090005"]])
        expect(yield* codes()).toEqual([200, "certificate", ["000000", "011000", "090005"]])
        bank.digestKind = "key"
        expect(yield* codes()).toEqual([409, "bank_refused", ["091008", "000000"]])
        expect(yield* sql`select stopped, digest_kind from bank_fetcher.account where id = ${account.id}`).toEqual([
          { stopped: null, digest_kind: "certificate" }
        ])
      })
    )

    it.effect.each(["H004", "H005"] as const)(
      "let us ask with %s what the account may fetch",
      Effect.fnUntraced(function* (version) {
        const { bank, calls, own, setUp } = yield* place({ ebics_version: version })
        yield* setUp
        bank.permitted = ["C53", "STA"]
        bank.accounts = [{ iban: iban(77), holder: "Grüße GmbH" }]
        bank.offer("C53", Buffer.from("x"))
        const { permitted } = (yield* calls.post(`${own}/permissions`)).json
        const c53 = { name: "EOP", scope: "DE", container: "ZIP", message: "camt.053" }
        const sta = { name: "EOP", scope: "DE", message: "mt940" }
        expect(permitted).toMatchObject(
          version === "H004"
            ? { order_types: ["C53", "STA"], services: [], available: { order_types: ["C53"], services: [] } }
            : { order_types: ["BTD"], services: [c53, sta], available: { order_types: [], services: [c53] } }
        )
        expect(permitted.accounts).toEqual([{ iban: iban(77), currency: "EUR", holder: "Grüße GmbH" }])
        bank.hasHaa = false
        expect((yield* calls.post(`${own}/permissions`)).json.permitted.available).toBeNull()
        bank.hasHaa = true
        expect((yield* calls.get(own)).json.permitted.order_types).toEqual(permitted.order_types)
      })
    )

    it.effect(
      "stay free for the next step when the client disconnects while a step begins",
      Effect.fnUntraced(function* () {
        const { account, base, own, sql, step } = yield* place()
        const commit = yield* slowCommit(sql, "bank_fetcher.account", "new.step is not null and old.step is null")
        const url = `${base("bank-fetcher")}/api/v1/crm/ebics/${own}/keys/init`
        const ended = yield* abandonedCall(url, { method: "POST", ...as(tenant) }, commit.begun)
        expect(ended).toBe("disconnected")
        yield* commit.ended
        yield* commit.remove
        yield* until(
          "the step has ended",
          Effect.map(sql<any>`select step from bank_fetcher.account where id = ${account.id}`, ([row]) => !row.step),
          30
        )
        expect((yield* step("init")).status).toBe(200)
      }),
      // Reason: the COMMIT is slow, and making the keys takes seconds.
      120_000
    )
  })
})
