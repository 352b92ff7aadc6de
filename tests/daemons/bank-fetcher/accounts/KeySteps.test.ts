/** The key steps of an account against a bank, in both protocol versions. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { refusal } from "../Fetcher.ts"
import { BankSite, place } from "./BankSite.ts"
import { hashOf } from "./Hashes.ts"

describe("key steps", () => {
  layer(BankSite.layer, { excludeTestServices: true })((it) => {
    it.effect.each(["H005", "H004"] as const)(
      "lead to active with %s, each once, and a person compares the bank's keys",
      Effect.fnUntraced(function* (version) {
        const { bank, calls, own, status, step, user } = yield* place(
          version === "H004" ? { ebics_version: "H004", signature_version: "A005" } : {}
        )
        const before = bank.calls.length
        expect(refusal(yield* step("ini"))).toEqual([409, "wrong_step"])
        const states: Array<unknown> = []
        for (const name of ["init", "init", "ini", "ini", "hia", "hia", "activate"]) {
          const { json, status: code } = yield* step(name)
          states.push([code, json.key_status, json.next])
        }
        expect(states).toEqual([
          [200, "keys_generated", "ini"],
          [200, "keys_generated", "ini"],
          [200, "ini_sent", "hia"],
          [200, "ini_sent", "hia"],
          [200, "hia_sent", "activate"],
          [200, "hia_sent", "activate"],
          // The bank has not released the keys yet.
          [200, "hia_sent", "activate"]
        ])
        expect((yield* status).last_answer).toMatchObject({ step: "activate", code: "091002" })
        bank.release(user)
        const active = (yield* step("activate")).json
        expect(active).toMatchObject({ key_status: "active", next: "accept", ready: false, ebics_version: version })
        expect(active.bank_keys.accepted).toBeNull()
        expect(bank.calls.slice(before).map(({ code, what }) => `${what} ${code}`)).toEqual([
          "INI 000000",
          "HIA 000000",
          "HPB 091002",
          "HPB 000000"
        ])
        const { authentication, encryption } = active.bank_keys.offered
        expect(authentication.hash.join(" ").replaceAll(" ", "")).toBe(hashOf(bank.keys.authentication))
        expect(encryption.hash.join(" ").replaceAll(" ", "")).toBe(hashOf(bank.keys.encryption))
        expect(authentication.certificate_hash === null).toBe(version === "H004")
        // The bank has the keys whose hashes we show.
        const shown = active.own_keys.map(({ hash, version: name }: any) => [name, hash.join(" ").replaceAll(" ", "")])
        expect(shown).toEqual([
          [version === "H004" ? "A005" : "A006", hashOf(user.keys.signature!)],
          ["E002", hashOf(user.keys.encryption!)],
          ["X002", hashOf(user.keys.authentication!)]
        ])
        expect(refusal(yield* calls.post(`${own}/permissions`))).toEqual([409, "account_unfit"])
        const wrong = { authentication: "00".repeat(32), encryption: encryption.hash.join(" ") }
        const refused = yield* step("bank/accept", wrong)
        expect([refused.status, refused.json.code, refused.json.differing]).toEqual([
          409,
          "hashes_differ",
          ["authentication"]
        ])
        const right = {
          authentication: authentication.hash.join(":").toLowerCase(),
          encryption: encryption.hash.join(" ")
        }
        for (const answer of [yield* step("bank/accept", right), yield* step("bank/accept", right)])
          expect(answer.json).toMatchObject({ ready: true, next: null, stopped: null })
        expect((yield* calls.get(own)).json).toMatchObject({ ready: true, key_status: "active" })
      })
    )

    it.effect(
      "count as sent when the bank has the keys after an unclear failure, and only then",
      Effect.fnUntraced(function* () {
        const { bank, status, step, user } = yield* place({ ebics_version: "H005" })
        yield* step("init")
        bank.failNext("cut")
        expect(refusal(yield* step("ini"))).toEqual([502, "bank_failed"])
        expect(user.state).toBe("Ini")
        expect(yield* status).toMatchObject({ key_status: "keys_generated", last_answer: { code: null } })
        expect((yield* step("ini")).json).toMatchObject({ key_status: "ini_sent", last_answer: { code: "091002" } })
        // A refusal before anything was sent stays a refusal.
        user.state = "Ready"
        expect((yield* step("hia")).json).toMatchObject({ code: "bank_refused", bank_code: "091002" })
        expect((yield* step("hia")).json).toMatchObject({ code: "bank_refused", bank_code: "091002" })
        expect((yield* status).key_status).toBe("ini_sent")
        user.state = "Ini"
        bank.failNext("html502")
        expect(refusal(yield* step("hia"))).toEqual([502, "bank_failed"])
        expect((yield* step("hia")).json.key_status).toBe("hia_sent")
      })
    )

    it.effect(
      "do not run at the same time, and a step of a dead process blocks for a bounded time",
      Effect.fnUntraced(function* () {
        const { account, bank, sql, step } = yield* place({ ebics_version: "H005" })
        yield* step("init")
        const before = bank.calls.length
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => step("ini")),
          { concurrency: "unbounded" }
        )
        expect(answers.every(({ json, status }) => status === 200 || json.code === "step_under_way")).toBe(true)
        expect(bank.calls.slice(before).map(({ code }) => code)).toEqual(["000000"])
        const leaseOf = (from: string) =>
          sql.unsafe(`update bank_fetcher.account set step = 'hia', step_id = gen_random_uuid(),
            step_until = now() ${from} where id = '${account.id}'`)
        yield* leaseOf("+ interval '60 s'")
        expect(refusal(yield* step("hia"))).toEqual([409, "step_under_way"])
        yield* leaseOf("- interval '1 s'")
        expect((yield* step("hia")).json.key_status).toBe("hia_sent")
      })
    )

    it.effect(
      "suspend, resume and begin again after a confirmed reset, and keep the ids until then",
      Effect.fnUntraced(function* () {
        const { account, calls, own, setUp, sql, status, step } = yield* place()
        expect(refusal(yield* step("suspend"))).toEqual([409, "wrong_step"])
        yield* setUp
        for (const name of ["suspend", "suspend"])
          expect((yield* step(name)).json).toMatchObject({ key_status: "suspended", next: "resume", ready: false })
        expect((yield* step("ini")).json.key_status).toBe("suspended")
        expect(refusal(yield* calls.post(`${own}/permissions`))).toEqual([409, "account_unfit"])
        for (const name of ["resume", "resume"])
          expect((yield* step(name)).json).toMatchObject({ key_status: "active", next: null, ready: true })

        const changes = { host_id: "OTHER", user_id: "OTHER", key_bits: 4096, holder: "We" }
        const refused = yield* calls.put(own, changes)
        expect([refused.status, refused.json.code, refused.json.fields]).toEqual([
          409,
          "keys_in_use",
          ["host_id", "user_id", "key_bits"]
        ])
        expect((yield* calls.get(own)).json).toMatchObject({ host_id: "EBIXHOST", holder: null })
        expect(refusal(yield* step("reset", { confirm: "DE00" }))).toEqual([422, "invalid_request", "payload.confirm"])
        expect((yield* status).own_keys).toHaveLength(3)
        expect((yield* step("reset", { confirm: ` ${account.iban.toLowerCase()} ` })).json).toMatchObject({
          key_status: "pending",
          next: "init",
          ebics_version: null,
          own_keys: [],
          bank_keys: { accepted: null, offered: null }
        })
        expect(yield* sql`select 1 from bank_fetcher.account_key where account_id = ${account.id}`).toEqual([])
        expect((yield* calls.put(own, changes)).json).toMatchObject(changes)
      })
    )
  })
})
