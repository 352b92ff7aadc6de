import { useEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Badge } from "../parts/Badge.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Leading } from "../parts/Leading.tsx"
import { announce } from "./Announce.ts"
import { calls, dismiss, type IncomingCall, listen } from "./Calls.ts"
import { prepare, ring, silent } from "./Ring.ts"
import "./call.css"

const t = words({
  en: {
    title: "Incoming call", anonymous: "Number withheld", known: "Known customer", unknown: "Unknown", number: "Customer number", caller: "Caller's number", dialled: "Number dialled", open: "Open customer", stop: "Stop ringing",
    waiting: "Also calling", silent: "This browser keeps pages silent until a key or button is pressed."
  },
  de: {
    title: "Eingehender Anruf", anonymous: "Nummer unterdrückt", known: "Bekannter Kunde", unknown: "Unbekannt", number: "Kundennummer", caller: "Nummer des Anrufers", dialled: "Gewählte Nummer", open: "Kunden öffnen", stop: "Klingeln beenden",
    waiting: "Ruft auch an", silent: "Dieser Browser bleibt stumm, bis eine Taste gedrückt wird."
  }
})

/** Where a customer is looked at. */
const customerPage = (number: string): string => `/console/customers/${encodeURIComponent(number)}`

const shown = (caller: string): string => (/\d/.test(caller) ? caller : t().anonymous)

listen()

/** In front of everything while somebody calls: who, whom, and what to do. A second call waits in the same window. */
export const CallModal = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const stop = useRef<HTMLButtonElement>(null)
  const [first, ...others] = calls.value
  const id = first?.call_id
  const customer = first?.customer ?? undefined
  useEffect(prepare, [])
  useEffect(() => {
    if (id === undefined) return dialog.current?.close()
    if (dialog.current?.open === false) dialog.current.showModal()
    stop.current?.focus()
    const [quiet, hush] = [ring(), announce(first!)]
    return () => {
      quiet()
      hush()
    }
  }, [id])
  const away = () => {
    if (id !== undefined) dismiss(id)
  }
  return (
    <dialog
      ref={dialog}
      class="call"
      role="alertdialog"
      aria-labelledby="call-title"
      aria-describedby="call-who"
      onCancel={(event) => {
        event.preventDefault()
        away()
      }}
      onClose={away}
    >
      <p id="call-title" class="call-title"><Icon name="phone" />{t().title}</p>
      {first === undefined ? null : <Caller of={first} />}
      {silent.value ? <p class="call-silent" role="status">{t().silent}</p> : null}
      {others.length === 0 ? null : (
        <div class="call-others">
          <p>{t().waiting}</p>
          <ul>{others.map((call) => <li key={call.call_id}>{call.customer?.name ?? shown(call.caller_id)}</li>)}</ul>
        </div>
      )}
      <div class="call-actions">
        {customer === undefined ? null : <Leading class="button" to={customerPage(customer.number)} onClick={away}>{t().open}</Leading>}
        <button ref={stop} type="button" class="primary" onClick={away}>{t().stop}</button>
      </div>
    </dialog>
  )
}

const Caller = ({ of: { caller_id, customer, did_number } }: { readonly of: IncomingCall }) => (
  <div id="call-who">
    <p class="call-who">{customer?.name ?? shown(caller_id)}</p>
    <p>{customer === null ? <Badge tone="quiet">{t().unknown}</Badge> : <Badge tone="success">{t().known}</Badge>}</p>
    <dl class="facts">
      {customer === null ? null : <><dt>{t().number}</dt><dd>{customer.number}</dd><dt>{t().caller}</dt><dd>{shown(caller_id)}</dd></>}
      <dt>{t().dialled}</dt>
      <dd>{did_number}</dd>
    </dl>
  </div>
)
