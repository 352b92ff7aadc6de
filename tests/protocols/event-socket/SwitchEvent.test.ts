import { Framing } from "#protocols/event-socket/Framing.ts"
import { decodeEvent, type SwitchEvent } from "#protocols/event-socket/SwitchEvent.ts"
import { captureNames, spoken } from "#support/switch/Capture.ts"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const eventsOf = (capture: string): ReadonlyArray<SwitchEvent> =>
  spoken(capture)
    .flatMap((bytes) => new Framing().push(bytes).messages)
    .filter(({ contentType }) => contentType.startsWith("text/event-"))
    .map((message) => Result.getOrThrow(decodeEvent(message)))

const decode = (contentType: string, body: string | Buffer) =>
  decodeEvent({ contentType, headers: {}, body: Buffer.from(body as string) })

describe("decodeEvent", () => {
  it("reads every event of the captures", () => {
    expect(captureNames.flatMap((name) => eventsOf(name)).every(({ name }) => /^[A-Z_]+$/.test(name))).toBe(true)
  })

  it("reads json and plain alike", () => {
    const [plain, json] = [eventsOf("B10"), eventsOf("B11")]
    const sorted = (events: ReadonlyArray<SwitchEvent>) =>
      events.map(({ name }) => name).filter((name) => name !== "BACKGROUND_JOB")
    expect(sorted(plain)).toEqual(sorted(json))
    const [plainEnd, jsonEnd] = [plain, json].map((events) =>
      events.find(({ name }) => name === "CHANNEL_HANGUP_COMPLETE")!
    )
    for (const field of [
      "Hangup-Cause",
      "variable_playback_ms",
      "Answer-State",
      "variable_rtp_use_codec_string",
      "variable_sip_hangup_disposition"
    ]) {
      expect(jsonEnd!.headers[field]).toBe(plainEnd!.headers[field])
    }
    const [plainJob, jsonJob] = [plain, json].map((events) => events.find(({ name }) => name === "BACKGROUND_JOB")!)
    expect(plainJob!.body).toMatch(/^\+OK [0-9a-f-]{36}\n$/)
    expect(jsonJob!.body).toMatch(/^\+OK [0-9a-f-]{36}\n$/)
    expect(jsonJob!.headers["_body"]).toBeUndefined()
  })

  it("keeps odd names, lists and values from doing harm", () => {
    const event = Result.getOrThrow(
      decode("text/event-json", '{"Event-Name":"DTMF","__proto__":"x","list":["a","b"],"n":1,"o":{}}')
    )
    expect(Object.entries(event.headers)).toEqual([
      ["Event-Name", "DTMF"],
      ["__proto__", "x"],
      ["list", "ARRAY::a|:b"],
      ["n", "1"]
    ])
    expect(
      Result.getOrThrow(decode("text/event-plain", "Event-Name: DTMF\nA: 100%\nB: %C3%BC\n\n")).headers
    ).toMatchObject({ A: "100%", B: "ü" })
  })

  it("refuses what is none", () => {
    for (const body of ["", "null", "[]", '"x"', "{", "{}", '{"Event-Name":""}'])
      expect(Result.isFailure(decode("text/event-json", body))).toBe(true)
    for (const body of [
      "",
      "Event-Name",
      "Event-Name: X\nContent-Length: 5\n\nabc",
      "Event-Name: X\nContent-Length: -1\n\n"
    ]) {
      expect(Result.isFailure(decode("text/event-plain", body))).toBe(true)
    }
    expect(Result.isFailure(decode("text/event-xml", "<event/>"))).toBe(true)
  })

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("text/event-json", "text/event-plain"),
        fc.uint8Array(),
        (type, bytes) => void decode(type, Buffer.from(bytes))
      )
    )
    fc.assert(fc.property(fc.json(), (json) => void decode("text/event-json", json)))
  })
})
