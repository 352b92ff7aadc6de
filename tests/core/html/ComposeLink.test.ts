import fc from "fast-check"
import { expect, it } from "vitest"
import { cleanCompose, maxAddresses, maxBody, maxSubject } from "#core/html/ComposeLink.ts"

it("splits addresses, and drops invalid ones", () => {
  expect(
    cleanCompose({
      to: "ann@example.org, Bob <bob@example.org>; nobody, javascript:x@y,ann@example.org",
      cc: "c\r\nBcc: x@example.org"
    })
  ).toEqual({ to: ["ann@example.org", "bob@example.org"], cc: [], subject: "", body: "" })
  expect(cleanCompose({ to: Array.from({ length: 200 }, (_, at) => `a${at}@example.org`).join() }).to).toHaveLength(
    maxAddresses
  )
})

it("reduces the subject to one line of 200 characters", () => {
  expect(cleanCompose({ subject: "Hello\r\nBcc: x@example.org\0" }).subject).toBe("Hello Bcc: x@example.org")
  expect(Array.from(cleanCompose({ subject: "😀".repeat(300) }).subject)).toHaveLength(maxSubject)
})

it("cuts the body at 2,000 characters before escaping it", () => {
  expect(cleanCompose({ body: "a\r\nb <script>alert('x')</script>\0 &amp; \"" }).body).toBe(
    "a\nb &#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62; &#38;amp; &#34;"
  )
  expect(cleanCompose({ body: "&".repeat(5_000) }).body).toBe("&#38;".repeat(maxBody))
})

it("no input becomes markup or a header line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 3_000 }),
      fc.string({ unit: "binary", maxLength: 3_000 }),
      (one, two) => {
        const { body, subject, to } = cleanCompose({ to: one, subject: two, body: one })
        expect(body).not.toMatch(/[<>"']/)
        expect(body).toBe(body.toWellFormed())
        expect(subject).not.toMatch(/\p{Cc}/u)
        expect(Array.from(subject).length).toBeLessThanOrEqual(maxSubject)
        for (const address of to) expect(address).toMatch(/^[^\s<>"@]+@[^\s<>"@]+$/)
      }
    )
  )
})
