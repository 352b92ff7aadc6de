import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { Framing } from "#protocols/postfix-policy/Framing.ts"
import { decode } from "#protocols/postfix-policy/PolicyRequest.ts"

const read = (text: string) => decode(new Framing().push(Buffer.from(`${text}\n\n`)).requests[0] ?? {})
const base = "request=smtpd_access_policy\nprotocol_state=RCPT"

describe("a policy request", () => {
  it("is read with what is known of it", () => {
    const request = Result.getOrThrow(
      read(
        `${base}\nclient_address=2001:db8::1\nsender=\nrecipient=a@example.test\ninstance=1.2.3\nsasl_username=a\nsize=12345\nrecipient_count=2\nstress=`
      )
    )
    expect(request).toMatchObject({
      protocolState: "RCPT",
      clientAddress: "2001:db8::1",
      sender: undefined,
      recipient: "a@example.test",
      instance: "1.2.3",
      saslUsername: "a",
      size: 12_345,
      recipientCount: 2
    })
    expect(request.attributes["stress"]).toBe("")
  })

  it("may leave out what it does not know", () => {
    expect(Result.getOrThrow(read(base))).toMatchObject({ size: 0, recipientCount: 0, clientAddress: undefined })
  })

  it.each([
    "protocol_state=RCPT",
    "request=other\nprotocol_state=RCPT",
    "request=smtpd_access_policy",
    `${base}\nsize=-1`,
    `${base}\nsize=1e9`,
    `${base}\nrecipient_count=x`
  ])("is not %j", (text) => {
    expect(Result.isFailure(read(text))).toBe(true)
  })
})
