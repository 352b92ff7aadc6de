import { Redacted } from "effect"
import { expect, it } from "vitest"
import { phoneConfig } from "#daemons/sip-config/directory/own-extensions/PhoneConfig.ts"

const extension = {
  id: 1,
  tenant_id: 7,
  domain_id: 1,
  domain: "voice.a.test",
  extension: "1001",
  name: "Ann",
  user_id: null,
  enabled: true,
  created_at: new Date(),
  updated_at: new Date()
}
const transports = (over: Partial<typeof extension>) =>
  phoneConfig({ ...extension, ...over } as never, Redacted.make("secret"), {
    sipHost: undefined,
    tlsPort: 5061
  }).transports.map(({ srtp, transport }) => `${transport} ${srtp}`)

it.each([
  [{}, ["udp off", "tls optional", "wss mandatory"]],
  [{ extension: "webrtc-ann" }, ["wss mandatory"]],
  [{ name: "WebRTC Ann" }, ["wss mandatory"]]
])("%j is offered %j", (over, expected) => expect(transports(over)).toEqual(expected))
