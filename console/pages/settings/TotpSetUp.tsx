import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { ConfirmCode } from "./ConfirmCode.tsx"
import { Proof } from "./Proof.tsx"

const t = words({
  en: {
    title: "Set up an authenticator app",
    scan: "Scan this with the app, or type the key in by hand. Then enter the code it shows.",
    picture: "QR code with the key",
    key: "Key"
  },
  de: {
    title: "Authenticator-App einrichten",
    scan: "Den Code mit der App scannen oder den Schlüssel von Hand eingeben. Dann den Code eingeben, den sie zeigt.",
    picture: "QR-Code mit dem Schlüssel",
    key: "Schlüssel"
  }
})

/** Shows the secret for an authenticator app once, and asks for a code as proof. */
export const TotpSetUp = ({
  leave,
  over
}: {
  readonly leave: () => void
  readonly over: (codes: ReadonlyArray<string>) => void
}) => {
  const begun = useSignal<Answer<"POST /api/v1/auth/totp"> | undefined>(undefined)
  if (begun.value === undefined) {
    return (
      <Proof
        title={t().title}
        leave={leave}
        work={async (payload) => void (begun.value = await call("POST /api/v1/auth/totp", { payload }))}
      />
    )
  }
  const { qr_svg, secret } = begun.value
  return (
    <div class="inset totp">
      <p>{t().scan}</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
        alt={t().picture}
        width={200}
        height={200}
      />
      <div>
        <p>
          {t().key}: <code>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
        </p>
        <ConfirmCode
          title={t().title}
          leave={leave}
          work={async (code) =>
            over((await call("POST /api/v1/auth/totp/confirm", { payload: { code } })).recovery_codes)
          }
        />
      </div>
    </div>
  )
}
