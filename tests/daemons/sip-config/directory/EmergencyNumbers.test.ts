import { checkDatabase } from "#core/cli/DatabaseChecks.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { as, callsOf, startTelephony } from "../Telephony.ts"

it.live("no object can have an emergency number, and existing ones are findings", () =>
  Effect.gen(function* () {
    const suite = yield* startTelephony()
    const { box, did, extension, external, menu, post, put, ringGroup, trunk } = callsOf(suite, as(2))
    const { id: phone } = yield* extension("1001")
    const { id: group } = yield* ringGroup("Sales", ["1001"], { number: "600" })
    const { id: main } = yield* menu("Main")
    const { id: voicemail } = yield* box("1001")
    const { id: number } = yield* did("+4930123001", "extension", phone)
    const { id: mobile } = yield* external("+491701234567")
    const { id: line } = yield* trunk("First")
    const entry = (digits: string) => [{ digits, destination_type: "extension", destination_id: phone }]
    const refused: ReadonlyArray<readonly [string, number | undefined, object, string]> = [
      ["extensions", undefined, { extension: "112", name: "A", domain: "voice.a.test" }, "extension"],
      ["extensions", undefined, { extension: "999", name: "Test", domain: "voice.a.test" }, "extension"],
      ["extensions", phone, { extension: "110" }, "extension"],
      [
        "ring-groups",
        undefined,
        { name: "A", number: "112", strategy: "random", ring_timeout: 20, extensions: ["1001"] },
        "number"
      ],
      ["ring-groups", group, { number: "911" }, "number"],
      ["ivr-menus", undefined, { name: "A", greeting: "a.wav", entries: entry("112") }, "entries[0].digits"],
      ["ivr-menus", main, { entries: entry("110") }, "entries[0].digits"],
      ["voicemail-boxes", undefined, { box: "112", name: "A" }, "box"],
      ["voicemail-boxes", voicemail, { box: "110" }, "box"],
      ["dids", undefined, { number: "110", name: "A", destination_type: "extension", destination_id: phone }, "number"],
      ["dids", number, { number: "+49112" }, "number"],
      ["external-numbers", undefined, { number: "112", name: "A" }, "number"],
      ["external-numbers", mobile, { number: "0049112" }, "number"],
      ["trunks", undefined, { name: "A", host: "a.test", caller_id: "112" }, "caller_id"],
      ["trunks", line, { caller_id: "110" }, "caller_id"]
    ]
    for (const [path, id, body, field] of refused) {
      const { json, status } = yield* id === undefined ? post(path, body) : put(`${path}/${id}`, body)
      expect([path, body, status, json.errors?.[0]]).toEqual([
        path,
        body,
        422,
        { field: `payload.${field}`, message: "is an emergency number; choose another one" }
      ])
    }
    const findings = Effect.map(checkDatabase(suite.database.target, [sipConfig], "test"), (all) =>
      all.filter((finding) => finding.check === "emergency numbers").map(({ detail, status }) => [status, detail])
    )
    expect(yield* findings).toEqual([["ok", "no object has one"]])
    yield* suite.sql`update sip_config.extension set extension = '112' where id = ${phone}`
    yield* suite.sql`update sip_config.did set number = '+49110' where id = ${number}`
    yield* suite.sql`update sip_config.ivr_menu set entries =
      '[{"digits": "112", "destination_type": "extension", "destination_id": 1}]' where id = ${main}`
    const advice = "calls to it never arrive there: change its number"
    expect(yield* findings).toEqual([
      ["warn", `the DID ${number} of tenant 2 has the emergency number +49110; ${advice}`],
      ["warn", `the extension ${phone} of tenant 2 has the emergency number 112; ${advice}`],
      ["warn", `the menu ${main} of tenant 2 has the emergency number 112; ${advice}`]
    ])
  }).pipe(Effect.scoped)
)

it("the number for voicemail is none", () => {
  const problems = (value: string) => sipConfig.problems({ SIGNALBOX_SIP_VOICEMAIL_NUMBER: value })
  expect(problems("*97")).toEqual([])
  expect(problems("112")).toMatchObject([{ name: "SIGNALBOX_SIP_VOICEMAIL_NUMBER" }])
})
