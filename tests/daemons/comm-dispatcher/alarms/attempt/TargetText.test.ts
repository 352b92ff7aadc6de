import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { type Told, targetText } from "#daemons/comm-dispatcher/alarms/attempt/TargetText.ts"
import { format, parse } from "#daemons/comm-dispatcher/alarms/subject/AlarmSubject.ts"
import { maskTargets } from "#daemons/comm-dispatcher/alarms/subject/MaskTargets.ts"
import { languages } from "#core/words/Language.ts"

const targets = [
  { channel: "webhook", target: "https://hooks.example/services/T01/first-secret?key=one" },
  { channel: "webhook", target: "https://hooks.example/services/T02/second-secret" },
  { channel: "messenger", target: "-1001234567890" },
  { channel: "messenger_voice", target: "@night_shift" },
  { channel: "call", target: "+4930123456" },
  { channel: "sms", target: "+4915112345678" }
] as const

const subject = format({ severity: "ALERT", targets, retry: { attempts: 3, pauseMinutes: 5 } })

const row: Told = {
  ...targets[0],
  event_type: "email.alarm.received",
  severity: "ALERT",
  malformed: false,
  subject,
  body: "",
  sender: "device@ok.test",
  reason: null,
  retry: { attempts: 3, pauseMinutes: 5 }
}

it("tells a target its own part of the subject, with text and without", () => {
  for (const language of languages)
    for (const own of targets)
      for (const body of ["", " \n", "Gas in hall 3\nLeave the building."]) {
        const told = targetText({ ...row, ...own, body }, language)
        for (const other of targets)
          if (other !== own) assert.notInclude(JSON.stringify(told), other.target.replace(/^\+/, ""))
        const part = Result.getOrThrow(parse(told.subject))
        assert.deepStrictEqual(part, { severity: "ALERT", targets: [own], retry: { attempts: 3, pauseMinutes: 5 } })
        assert.notInclude(told.title + told.text, own.target)
        if (body.trim() !== "") assert.deepStrictEqual([told.title, told.text], ["Gas in hall 3", body])
      }
})

it("has words for an alarm without a text, in both languages", () => {
  assert.strictEqual(targetText(row, "de").text, "Alarm ohne Text von device@ok.test")
  assert.strictEqual(targetText({ ...row, sender: "" }, "en").text, "Alarm without a text")
})

it("keeps the first line of a direct request", () => {
  const told = targetText({ ...row, event_type: "comm.notify", subject: "Hello", body: "Hello\nyou" }, "en")
  assert.deepStrictEqual(told, { subject: "Hello", title: "Hello", text: "Hello\nyou" })
})

it("masks the targets of a subject that is no alarm", () => {
  const malformed = `CRITCAL:${subject.slice(6)};MESSENGER+4711815`
  const { text } = targetText({ ...row, malformed: true, subject: malformed, reason: "“CRITCAL” is no severity" }, "en")
  assert.notMatch(text, /secret|key=|1234567|30123|511234|471181/)
  assert.include(text, "“CRITCAL” is no severity")
  assert.include(text, "CRITCAL:WEBHOOK+https://hooks.example/…")
  assert.include(text, "CALL+…56")
})

it("masks credentials, paths and numbers, whatever surrounds them", () => {
  assert.strictEqual(
    maskTargets("a https://user:pw@h.example:8443/x/y?z#f b http://h c 600 s 2026"),
    "a https://h.example:8443/… b http://h/… c 600 s 2026"
  )
  const mark = fc.constantFrom(..."q9q9/?#&=%;+@:.-_~a0")
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 20 }), (marks) => {
      const path = marks.join("")
      assert.notInclude(maskTargets(`x https://h.example/q9q9${path} y`), "q9")
      assert.notInclude(maskTargets(`x https://q9q9@h.example?${path} y`), "q9")
    })
  )
})
