import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { words } from "../lib/Language.ts"
import { choose, handlers } from "../lib/LinkHandlers.ts"
import { Dialog } from "./Dialog.tsx"

const t = words({
  en: {
    mail: (address: string) => `Write to ${address}`,
    call: (number: string) => `Call ${number}`,
    internal: "Here in Signalbox",
    system: "With this computer's program",
    always: "Always do so",
    leave: "Cancel"
  },
  de: {
    mail: (address: string) => `An ${address} schreiben`,
    call: (number: string) => `${number} anrufen`,
    internal: "Hier in Signalbox",
    system: "Mit dem Programm dieses Computers",
    always: "Immer so",
    leave: "Abbrechen"
  }
})

const kinds = {
  mail: {
    key: "mail_handler",
    internal: (address: string) => `/console/mail/compose?to=${encodeURIComponent(address)}`,
    system: (address: string) => `mailto:${encodeURIComponent(address)}`
  },
  call: {
    key: "call_handler",
    internal: (number: string) => `/console/phone?number=${encodeURIComponent(number)}`,
    system: (number: string) => `tel:${number}`
  }
} as const

/** A mail address or telephone number that opens in the program of the user's choice. */
export const ContactLink = ({ kind, to }: { readonly kind: keyof typeof kinds; readonly to: string }) => {
  const { route } = useLocation()
  const asking = useSignal(false)
  const always = useSignal(false)
  const { internal, key, system } = kinds[kind]
  const handler = handlers.value[key]
  const open = (chosen: "internal" | "system") => {
    asking.value = false
    if (always.value) choose({ [key]: chosen }).catch(() => undefined)
    if (chosen === "internal") route(internal(to))
    else location.href = system(to)
  }
  return (
    <>
      <a
        href={handler === "internal" ? internal(to) : system(to)}
        onClick={(event) => {
          if (handler !== "ask") return
          event.preventDefault()
          always.value = false
          asking.value = true
        }}
      >
        {to}
      </a>
      {asking.value ? (
        <Dialog title={t()[kind](to)} close={() => (asking.value = false)}>
          <p>
            <label>
              <input
                type="checkbox"
                checked={always.value}
                onChange={({ currentTarget }) => (always.value = currentTarget.checked)}
              />{" "}
              {t().always}
            </label>
          </p>
          <div class="dialog-actions">
            <button type="button" class="primary" onClick={() => open("internal")}>
              {t().internal}
            </button>
            <button type="button" onClick={() => open("system")}>
              {t().system}
            </button>
            <button type="button" onClick={() => (asking.value = false)}>
              {t().leave}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
