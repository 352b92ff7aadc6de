import { languageOf } from "#core/words/Language.ts"
import { describe, expect, it } from "vitest"
import { compose } from "#daemons/comm-dispatcher/notifications/mail/NotificationMail.ts"
import { messageOf } from "#daemons/comm-dispatcher/notifications/message/NotificationMessage.ts"

const content = {
  type: "payment.failed",
  category: "payment",
  severity: "error",
  title: "Zahlung <4711> & mehr",
  body: "Erster Absatz\nzweite Zeile\n\n<script>alert(1)</script>",
  action_url: 'https://app.test/x?a=1&b="2'
} as const

describe("the mail of a notification", () => {
  it("is in the reader's language", () => {
    expect(["de", "de-AT", "DE_ch", "en", "fr", "den", ""].map(languageOf)).toEqual([
      "de",
      "de",
      "de",
      "en",
      "en",
      "en",
      "en"
    ])
    const german = compose([content], 0, { name: "Änne", locale: "de-DE" })
    expect(german.subject).toBe("Fehler: Zahlung <4711> & mehr")
    expect(german.text).toContain("Guten Tag Änne,")
    expect(german.html).toContain('<html lang="de">')
    const english = compose([content], 0, { name: "", locale: "fr" })
    expect(english.subject).toBe("Error: Zahlung <4711> & mehr")
    expect(english.text.startsWith("Hello,\n")).toBe(true)
  })

  it("says the same as text and as a page, which holds nothing of the notification's as markup", () => {
    const { html, text } = compose([content], 0, { name: "<b>A</b>\r\nBcc: x", locale: "en" })
    expect(text).toContain("Erster Absatz\nzweite Zeile\n\n<script>alert(1)</script>")
    expect(text).toContain('See more: https://app.test/x?a=1&b="2')
    expect(text.split("\n")[0]).toBe("Hello <b>A</b> Bcc: x,")
    expect(html).toContain("<p>Erster Absatz<br>zweite Zeile</p>")
    expect(html).not.toMatch(/<script|<b>|Zahlung </)
    expect(html).toContain('<a href="https://app.test/x?a=1&#38;b=&#34;2">')
  })

  it("holds several that go together, and says how many it leaves out", () => {
    const second = {
      ...content,
      severity: "info",
      title: "Zwei",
      body: "Zweiter Text",
      action_url: "/console/alarms/1"
    } as const
    const { html, subject, text } = compose([content, second], 3, { name: "A", locale: "de" })
    expect(subject).toBe("5 Mitteilungen")
    expect(text.indexOf("Fehler: Zahlung")).toBeLessThan(text.indexOf("Hinweis: Zwei"))
    expect(text).toContain("Und 3 weitere")
    expect(html).toContain("Zweiter Text")
    expect(compose([content], 1, { name: "A", locale: "en" }).subject).toBe("2 notifications")
    expect(messageOf([content, second], 1, "en")).toBe(
      'Error: Zahlung <4711> & mehr\nErster Absatz\nzweite Zeile\n\n<script>alert(1)</script>\nSee more: https://app.test/x?a=1&b="2\n\n' +
        "Notice: Zwei\nZweiter Text\nSee more in the application.\n\nAnd one more, which you find in the application."
    )
  })

  it("links to no path without a host", () => {
    const { html, text } = compose([{ ...content, action_url: "/invoices/1" }], 0, { name: "A", locale: "en" })
    expect(html).not.toContain("<a ")
    expect(text).toContain("See more in the application.")
    expect(compose([{ ...content, title: "a\nb" }], 0, { name: "A", locale: "en" }).subject).toBe("Error: a b")
  })
})
