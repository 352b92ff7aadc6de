import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { QrCode } from "../../../parts/QrCode.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Words.ts"

/** A link that was just made, and whom it is for. */
export interface NewLink {
  readonly token: Answer<"POST /api/v1/provisioning/client-tokens">
  readonly person: string
  readonly email: string
}

const t = words({
  en: {
    scan: "Scan this code with the device, or open the link on it.",
    qr: "QR code of the link",
    copy: "Copy the link",
    copied: "Copied.",
    notCopied: "The browser does not allow copying. Select the link instead.",
    mail: (address: string) => `Send by mail to ${address}`,
    sent: (address: string) => `The link is on its way to ${address}.`,
    secret: (until: string) => `Whoever has the link can sign in as this person. It works once, until ${until}.`
  },
  de: {
    scan: "Scannen Sie diesen Code mit dem Gerät, oder öffnen Sie den Link darauf.",
    qr: "QR-Code des Links",
    copy: "Link kopieren",
    copied: "Kopiert.",
    notCopied: "Der Browser erlaubt das Kopieren nicht. Markieren Sie den Link.",
    mail: (address: string) => `Per Mail an ${address} senden`,
    sent: (address: string) => `Der Link ist unterwegs an ${address}.`,
    secret: (until: string) => `Wer den Link hat, kann sich als diese Person anmelden. Er gilt einmal, bis ${until}.`
  }
})

/** Second step: the link as text, as a QR code and by mail. */
export const Share = ({ of: { email, token } }: { readonly of: NewLink }) => {
  const doing = useDoing()
  const said = useSignal<"copied" | "notCopied" | "sent" | undefined>(undefined)
  const copy = () =>
    void navigator.clipboard.writeText(token.link).then(
      () => (said.value = "copied"),
      () => (said.value = "notCopied")
    )
  const send = () =>
    void doing
      .run(() =>
        call("POST /api/v1/provisioning/client-tokens/:id/mail", {
          params: { id: token.id },
          payload: { link: token.link }
        })
      )
      .then((done) => done && (said.value = "sent"))
  return (
    <div class="device-link">
      <QrCode content={token.link} label={t().qr} />
      <div>
        <p>{t().scan}</p>
        <code>{token.link}</code>
        <div class="page-actions">
          <button type="button" onClick={copy}>
            {t().copy}
          </button>
          {email === "" ? null : (
            <button type="button" disabled={doing.busy.value} onClick={send}>
              {t().mail(email)}
            </button>
          )}
        </div>
        <p role="status">{said.value === undefined ? "" : said.value === "sent" ? t().sent(email) : t()[said.value]}</p>
        <Refused problem={doing.problem.value} />
        <p class="soft">{t().secret(moment(token.expires_at))}</p>
      </div>
    </div>
  )
}
