/** Caching of a phone's answer and of its hash: valid for as long as their source data. */
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import { expect } from "vitest"
import { contextOf, layer as secretsLayer, Secrets } from "#core/config/Secrets.ts"
import { sealedExtensions } from "#daemons/sip-config/directory/Credentials.ts"
import { make as makeAnswers } from "#daemons/sip-config/switch/SwitchAnswer.ts"
import { make as makeUnsealed } from "#daemons/sip-config/switch/Unsealed.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { telephony } from "../routing/Rows.ts"

const asked = (user: string) =>
  `hostname=x&section=directory&tag_name=domain&key_name=name&key_value=a.example&action=sip_auth&user=${user}&domain=a.example`

const place = Effect.gen(function* () {
  const secrets = Context.get(
    yield* Layer.build(secretsLayer(join(yield* temporaryDirectory("signalbox-phones"), "keys"))),
    Secrets
  )
  let opened = 0
  const counting = Secrets.of({
    ...secrets,
    open: (envelope, context) => Effect.suspend(() => (opened++, secrets.open(envelope, context)))
  })
  const { held, put } = telephony()
  const answers = makeAnswers({
    telephony: held,
    unsealed: makeUnsealed(counting, () => undefined),
    plan: { country: "DE", voicemailNumber: "*97" },
    ports: {} as never,
    banned: (address) => address === "203.0.113.9"
  })
  const envelope = (id: number, password: string) =>
    Effect.map(
      Effect.orDie(secrets.seal(Redacted.make(password), contextOf(sealedExtensions, String(id)))),
      (text) => ({ extension: `100${id}`, name: "Ann", domain_id: 1, enabled: true, password: text })
    )
  put("sip_domain", 1, { domain: "a.example" })
  const [ann, ben] = [yield* envelope(1, "one"), yield* envelope(2, "two")]
  put("extension", 1, ann)
  put("extension", 2, ben)
  const answer = (user: string, more = "") => answers.to(Buffer.from(asked(user) + more), true, "known")
  return { ann, answer, ben, envelope, opened: () => opened, put }
})

it.effect("an extension for WebRTC registers over a WebSocket only, and its media are encrypted", () =>
  Effect.gen(function* () {
    const { ann, answer, put } = yield* place
    put("extension", 1, { ...ann, extension: "webrtc1" })
    for (const via of ["udp", "tcp", "tls"])
      expect(answer("webrtc1", `&sip_via_protocol=${via}`).body).not.toContain("a1-hash")
    for (const via of ["ws", "wss"]) {
      const { body } = answer("webrtc1", `&sip_via_protocol=${via}`)
      expect(body).toContain("a1-hash")
      expect(body).toContain('name="rtp_secure_media" value="mandatory"')
    }
    const usual = answer("1002", "&sip_via_protocol=udp").body
    expect(usual).toContain("a1-hash")
    expect(usual).not.toContain("rtp_secure_media")
  })
)

it.effect("another row's change leaves a phone's answer as it is", () =>
  Effect.gen(function* () {
    const { answer, ben, put } = yield* place
    const before = answer("1001")
    put("extension", 2, { ...ben, name: "Benedict" })
    expect(answer("1001")).toBe(before)
    expect(answer("1002").body).toContain("Benedict")
  })
)

it.effect("what it is made of changes it, and only another password opens its envelope again", () =>
  Effect.gen(function* () {
    const { ann, answer, envelope, opened, put } = yield* place
    const first = answer("1001")
    put("extension", 1, { ...ann, name: "Anna" })
    expect(answer("1001").body).toContain("Anna")
    put("voicemail_box", 1, {
      domain_id: 1,
      box: "1001",
      name: "Ann",
      pin: "",
      email: "ann@example.org",
      enabled: true
    })
    expect(answer("1001").body).toContain("ann@example.org")
    put("did", 5, { number: "+4930123", trunk_id: null, destination_type: "extension", destination_id: 1 })
    put("line", 7, { extension_id: 1, did_id: 5, trunk_id: 1, priority: 1 })
    expect(answer("1001").body).toContain("+4930123")
    put("did", 5, { number: "+4930456", trunk_id: null, destination_type: "extension", destination_id: 1 })
    expect(answer("1001").body).toContain("+4930456")
    // Opened once for the password and once for the PIN, whose envelope is invalid.
    expect(opened()).toBe(2)
    const hashIn = (body: string) => /a1-hash" value="(\w+)"/.exec(body)![1]
    expect(hashIn(answer("1001").body)).toBe(hashIn(first.body))
    put("extension", 1, yield* envelope(1, "three"))
    expect(hashIn(answer("1001").body)).not.toBe(hashIn(first.body))
    expect(opened()).toBe(3)
  })
)

it.effect("an envelope that was copied to another row opens no phone there", () =>
  Effect.gen(function* () {
    const { ann, answer, put } = yield* place
    expect(answer("1001").body).toContain("a1-hash")
    put("extension", 2, { ...ann, extension: "1002" })
    expect(answer("1002").body).not.toContain("a1-hash")
  })
)

it.effect("a phone of a banned address gets no credentials, also when others just asked for the same user", () =>
  Effect.gen(function* () {
    const { answer } = yield* place
    const from = (address: string) => answer("1001", `&action=sip_auth&ip=${address}`).body
    expect(from("203.0.113.8")).toContain("a1-hash")
    expect(from("203.0.113.9")).not.toContain("a1-hash")
    expect(from("203.0.113.9")).toContain('<domain name="a.example">')
    expect(from("203.0.113.8")).toContain("a1-hash")
    // A call to the phone is not a request of the phone.
    expect(answer("1001", "&action=user_call&ip=203.0.113.9").body).toContain("a1-hash")
  })
)
