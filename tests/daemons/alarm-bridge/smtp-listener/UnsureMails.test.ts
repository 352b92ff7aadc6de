import { assert, describe, it } from "vitest"
import { make } from "#daemons/alarm-bridge/smtp-listener/UnsureMails.ts"

const mail = Buffer.from("Subject: x\n\nbody")

describe("UnsureMails", () => {
  it("gives a refused mail its key again, once for each refusal", () => {
    const mails = make()
    const first = mails.take(mail, "a@x", ["b@y"])
    assert.notStrictEqual(mails.take(mail, "a@x", ["b@y"]).key, first.key, "a mail that was not refused")
    first.refused()
    const again = mails.take(mail, "a@x", ["b@y"])
    assert.strictEqual(again.key, first.key)
    assert.notStrictEqual(mails.take(mail, "a@x", ["b@y"]).key, first.key, "stored by then")
    again.refused()
    assert.strictEqual(mails.take(mail, "a@x", ["b@y"]).key, first.key)
  })

  it("tells mails apart by bytes, sender and recipients", () => {
    const mails = make()
    const first = mails.take(mail, "a@x", ["b@y"])
    first.refused()
    for (const [bytes, from, to] of [
      [Buffer.from("Subject: y\n\nbody"), "a@x", ["b@y"]],
      [mail, "c@x", ["b@y"]],
      [mail, "a@x", ["b@y", "c@y"]]
    ] as const)
      assert.notStrictEqual(mails.take(bytes, from, to).key, first.key)
  })

  it("forgets a mail after an hour, and the oldest of too many", () => {
    let now = 0
    const mails = make(() => now)
    const first = mails.take(mail, "a@x", [])
    first.refused()
    now = 3_600_000
    assert.notStrictEqual(mails.take(mail, "a@x", []).key, first.key)

    const oldest = mails.take(mail, "a@x", [])
    oldest.refused()
    for (let index = 0; index < 10_000; index++) mails.take(Buffer.from(String(index)), "a@x", []).refused()
    assert.notStrictEqual(mails.take(mail, "a@x", []).key, oldest.key)
  })
})
