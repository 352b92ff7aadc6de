import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { moment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { reload } from "../../lib/Me.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { MessengerSetUp } from "./MessengerSetUp.tsx"
import { Proof } from "./Proof.tsx"
import { RecoveryCodes } from "./RecoveryCodes.tsx"
import { TotpSetUp } from "./TotpSetUp.tsx"

const t = words({
  en: {
    title: "Second factor",
    none: "None is set up. With a second factor, a stolen password alone is useless.",
    totp: "Authenticator app",
    messenger: "Codes by messenger",
    on: "on",
    since: (at: string) => `since ${at}`,
    setUpTotp: "Set up an authenticator app",
    setUpMessenger: "Set up codes by messenger",
    remove: "Remove",
    removeTotp: "Remove the authenticator app",
    removeMessenger: "Remove codes by messenger",
    left: (count: number) => (count === 1 ? "1 recovery code left." : `${count} recovery codes left.`),
    renew: "New recovery codes"
  },
  de: {
    title: "Zweiter Faktor",
    none: "Keiner eingerichtet. Mit einem zweiten Faktor nützt ein gestohlenes Passwort allein nichts.",
    totp: "Authenticator-App",
    messenger: "Codes per Messenger",
    on: "an",
    since: (at: string) => `seit ${at}`,
    setUpTotp: "Authenticator-App einrichten",
    setUpMessenger: "Codes per Messenger einrichten",
    remove: "Entfernen",
    removeTotp: "Authenticator-App entfernen",
    removeMessenger: "Codes per Messenger entfernen",
    left: (count: number) =>
      count === 1 ? "Noch 1 Wiederherstellungscode." : `Noch ${count} Wiederherstellungscodes.`,
    renew: "Neue Wiederherstellungscodes"
  }
})

/** The open form; one at a time. */
type Doing = "totp" | "messenger" | "remove-totp" | "remove-messenger" | "renew"

/** Adds and removes second factors. `changed`: called after other sessions have ended. */
export const Factors = ({ changed }: { readonly changed: () => void }) => {
  const doing = useSignal<Doing | undefined>(undefined)
  const codes = useSignal<ReadonlyArray<string>>([])
  const factors = useLoad(() => call("GET /api/v1/auth/factors"))
  const over = (fresh: ReadonlyArray<string> = []) => {
    doing.value = undefined
    codes.value = fresh
    factors.reload()
    reload()
    changed()
  }
  const leave = () => void (doing.value = undefined)
  const begin = (what: Doing) => () => {
    codes.value = []
    doing.value = what
  }
  return (
    <section class="card" aria-labelledby="factors">
      <h2 id="factors">{t().title}</h2>
      <Loading of={factors}>
        {({ available, factors: all, recovery_codes_left }) => (
          <>
            {all.length === 0 ? (
              <p class="hint">{t().none}</p>
            ) : (
              <ul class="plain-rows">
                {all.map(({ chat_id, since, type }) => (
                  <li key={type}>
                    <span>
                      {t()[type]} {chat_id} <Badge tone="success">{t().on}</Badge>{" "}
                      <small>{t().since(moment(since))}</small>
                    </span>
                    <button
                      type="button"
                      class="small danger"
                      aria-label={type === "totp" ? t().removeTotp : t().removeMessenger}
                      onClick={begin(`remove-${type}`)}
                    >
                      {t().remove}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {doing.value === "totp" ? <TotpSetUp over={over} leave={leave} /> : null}
            {doing.value === "messenger" ? <MessengerSetUp over={over} leave={leave} /> : null}
            {doing.value === "remove-totp" ? (
              <Proof
                title={t().removeTotp}
                leave={leave}
                work={async (payload) => {
                  await call("DELETE /api/v1/auth/totp", { payload })
                  over()
                }}
              />
            ) : null}
            {doing.value === "remove-messenger" ? (
              <Proof
                title={t().removeMessenger}
                leave={leave}
                work={async (payload) => {
                  await call("DELETE /api/v1/auth/messenger", { payload })
                  over()
                }}
              />
            ) : null}
            {doing.value === "renew" ? (
              <Proof
                title={t().renew}
                leave={leave}
                work={async (payload) =>
                  over((await call("POST /api/v1/auth/recovery-codes", { payload })).recovery_codes)
                }
              />
            ) : null}
            <RecoveryCodes codes={codes.value} />
            {doing.value !== undefined ? null : (
              <p class="page-actions">
                {available
                  .filter((one) => !all.some(({ type }) => type === one))
                  .map((one) => (
                    <button key={one} type="button" onClick={begin(one)}>
                      {one === "totp" ? t().setUpTotp : t().setUpMessenger}
                    </button>
                  ))}
                {all.length === 0 ? null : (
                  <>
                    <button type="button" onClick={begin("renew")}>
                      {t().renew}
                    </button>
                    <small>{t().left(recovery_codes_left)}</small>
                  </>
                )}
              </p>
            )}
          </>
        )}
      </Loading>
    </section>
  )
}
