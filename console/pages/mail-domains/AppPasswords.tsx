import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useDoing } from "../../lib/Doing.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { At } from "../../parts/When.tsx"
import { told } from "../telephony/Refusals.ts"
import "../../style/overview.css"

const t = words({
  en: {
    open: "App passwords",
    title: (address: string) => `App passwords of ${address}`,
    about: "Each device that was set up with a link has its own password. The mailbox's password is another one.",
    none: "No device has a password for this mailbox.",
    since: "since",
    end: "End",
    sure: (device: string) => `End the password of ${device}?`,
    loses:
      "The device cannot sign in again, and must be set up anew. Open connections of the mailbox end; its other " +
      "devices sign in again by themselves.",
    close: "Close",
    cancel: "Keep it"
  },
  de: {
    open: "App-Passwörter",
    title: (address: string) => `App-Passwörter von ${address}`,
    about:
      "Jedes Gerät, das mit einem Link eingerichtet wurde, hat ein eigenes Passwort. Das des Postfachs ist ein anderes.",
    none: "Kein Gerät hat ein Passwort für dieses Postfach.",
    since: "seit",
    end: "Beenden",
    sure: (device: string) => `Das Passwort von ${device} beenden?`,
    loses:
      "Das Gerät kann sich nicht mehr anmelden und muss neu eingerichtet werden. Offene Verbindungen des Postfachs " +
      "enden; seine anderen Geräte melden sich von selbst wieder an.",
    close: "Schließen",
    cancel: "Behalten"
  }
})

type List = Answer<"GET /api/v1/mail/accounts/:id/app-passwords">

interface Mailbox {
  readonly address: string
  readonly list: () => Promise<List>
  readonly end: (password: number) => Promise<unknown>
  readonly mayEnd: boolean
}

/** A mailbox of a mail domain, for administrators. */
export const mailboxOf = (id: number, address: string): Mailbox => ({
  address,
  list: () => call("GET /api/v1/mail/accounts/:id/app-passwords", { params: { id } }),
  end: (password) => call("DELETE /api/v1/mail/accounts/:id/app-passwords/:password", { params: { id, password } }),
  mayEnd: may("mail.manage")
})

/** A mailbox of the user. */
export const ownMailbox = (address: string): Mailbox => ({
  address,
  list: async () => {
    const { items } = await call("GET /api/v1/mail/app-passwords/mine")
    return { items: items.filter((item) => item.address === address) }
  },
  end: (password) => call("DELETE /api/v1/mail/app-passwords/mine/:password", { params: { password } }),
  mayEnd: true
})

/** Button that shows the app passwords of a mailbox in a dialog, which also ends them. */
export const AppPasswords = ({ of, small = true }: { readonly of: Mailbox; readonly small?: boolean }) => {
  const open = useSignal(false)
  return (
    <>
      <button type="button" class={small ? "small" : ""} aria-haspopup="dialog" onClick={() => (open.value = true)}>
        {t().open}
        <span class="sr">: {of.address}</span>
      </button>
      {open.value ? <Passwords of={of} close={() => (open.value = false)} /> : null}
    </>
  )
}

const Passwords = ({
  close,
  of: { address, end, list: ask, mayEnd }
}: {
  readonly of: Mailbox
  readonly close: () => void
}) => {
  const doing = useDoing()
  const list = useLoad(ask)
  /** Id of the password whose end is asked about. */
  const asked = useSignal<number | undefined>(undefined)
  const endNow = (password: number) =>
    void doing
      .run(() => end(password))
      .then(() => {
        asked.value = undefined
        list.reload()
      })
  return (
    <Dialog title={t().title(address)} close={close}>
      <p class="soft">{t().about}</p>
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t().none}</p>
          ) : (
            <ul class="plain-rows">
              {items.map(({ created_at, device_name, id: password }) => (
                <li key={password}>
                  {asked.value === password ? (
                    <div>
                      <p>
                        <strong>{t().sure(device_name)}</strong>
                      </p>
                      <p>{t().loses}</p>
                      <p class="page-actions">
                        <button type="button" class="small" autofocus onClick={() => (asked.value = undefined)}>
                          {t().cancel}
                        </button>
                        <button
                          type="button"
                          class="small danger"
                          disabled={doing.busy.value}
                          onClick={() => endNow(password)}
                        >
                          {t().end}
                        </button>
                      </p>
                    </div>
                  ) : (
                    <>
                      <span>
                        {device_name}
                        <small class="block">
                          {t().since} <At at={created_at} />
                        </small>
                      </span>
                      {mayEnd ? (
                        <button type="button" class="small" onClick={() => (asked.value = password)}>
                          {t().end}
                          <span class="sr">: {device_name}</span>
                        </button>
                      ) : null}
                    </>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          {t().close}
        </button>
      </div>
    </Dialog>
  )
}
