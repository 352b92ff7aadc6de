/** Mails for tests of the console. */
import { mail, multipart } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"

/** Pictures in base64. */
export const pictures = {
  dot: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}

const page = `<h1>Spring offers</h1><p>Dear Ann, <b>all of this</b> is at <a href="http://shop.invalid/">the shop</a>.</p>
<p><img alt=dot src="cid:dot@far" width=40 height=40><img alt=far src="http://pictures.invalid/far.png" width=40 height=40></p>
<table border=1 cellpadding=6>${Array.from({ length: 8 }, (_, at) => `<tr><td>Article ${at}</td><td>${at}.99</td></tr>`).join("")}</table><p>Yours, the shop</p>`

const { body, type } = multipart("related", [
  { type: "text/html; charset=utf-8", body: page },
  {
    type: 'image/png; name="dot.png"',
    headers: {
      "Content-Transfer-Encoding": "base64",
      "Content-ID": "<dot@far>",
      "Content-Disposition": 'inline; filename="dot.png"'
    },
    body: pictures.dot
  }
])

/** An HTML mail with an embedded picture and one from the network. */
export const newsletter: string = mail(
  {
    Subject: "Spring offers for you",
    From: "The Shop <news@shop.test>",
    Date: "Mon, 16 Nov 2026 09:12:00 +0000",
    "Content-Type": type
  },
  body
)
