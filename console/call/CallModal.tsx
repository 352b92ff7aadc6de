import { useEffect, useRef } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Badge } from "../parts/Badge.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Leading } from "../parts/Leading.tsx"
import { answer, call, hangUp, silence } from "../softphone/Phone.ts"
import { announce } from "./Announce.ts"
import { calls, dismiss, listen } from "./Calls.ts"
import { prepare, ring, silent } from "./Ring.ts"
import { type Followed, follow, ringing, type Ringing } from "./Ringing.ts"
import "./call.css"

const t = words({
  en: {
    title: "Incoming call",
    anonymous: "Number withheld",
    known: "Known customer",
    unknown: "Unknown",
    number: "Customer number",
    caller: "Caller's number",
    dialled: "Number dialled",
    open: "Open customer",
    stop: "Stop ringing",
    answer: "Answer",
    reject: "Reject",
    waiting: "Also calling",
    also: "Customers with the same number",
    silent: "This browser keeps pages silent until a key or button is pressed."
  },
  de: {
    title: "Eingehender Anruf",
    anonymous: "Nummer unterdrückt",
    known: "Bekannter Kunde",
    unknown: "Unbekannt",
    number: "Kundennummer",
    caller: "Nummer des Anrufers",
    dialled: "Gewählte Nummer",
    open: "Kunden öffnen",
    stop: "Klingeln beenden",
    answer: "Annehmen",
    reject: "Ablehnen",
    waiting: "Ruft auch an",
    also: "Kunden mit derselben Nummer",
    silent: "Dieser Browser bleibt stumm, bis eine Taste gedrückt wird."
  }
})

/** Path of a customer's page. */
const customerPage = (number: string): string => `/console/customers/${encodeURIComponent(number)}`

/** The caller's number or extension name; a text for an anonymous caller. */
const shown = (caller: string): string => (caller === "" || caller === "anonymous" ? t().anonymous : caller)

listen()

/**
 * Dialog shown while a call rings: caller, called number and actions. Further calls wait in the same dialog. A call to
 * the softphone can be answered here.
 */
export const CallModal = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const stop = useRef<HTMLButtonElement>(null)
  const followed = useRef<Followed>({ turn: 0, keys: [] })
  const [first, ...others] = ringing(calls.value, call.value)
  if (first !== undefined) followed.current = follow(followed.current, first.keys)
  const id = first === undefined ? undefined : followed.current.turn
  const customer = first?.notice?.customer ?? undefined
  const more = first?.notice?.more_customers ?? []
  useEffect(prepare, [])
  useEffect(() => {
    if (id === undefined) return dialog.current?.close()
    if (dialog.current?.open === false) dialog.current.showModal()
    stop.current?.focus()
    const [quiet, hush] = [ring(), announce({ caller_id: numberOf(first!), customer: first!.notice?.customer ?? null })]
    return () => {
      quiet()
      hush()
    }
  }, [id])
  const seen = () => {
    if (first?.notice !== undefined) dismiss(first.notice.call_id)
  }
  const away = () => {
    if (first?.phone !== undefined) silence()
    seen()
  }
  const take = (doing: () => void) => () => {
    doing()
    seen()
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
      onClose={() => dialog.current?.open === false && away()}
    >
      <p id="call-title" class="call-title">
        <Icon name="phone" />
        {t().title}
      </p>
      {first === undefined ? null : <Caller of={first} />}
      {more.length === 0 ? null : (
        <div class="call-others">
          <p>{t().also}</p>
          <ul>
            {more.map(({ name, number }) => (
              <li key={number}>
                <Leading to={customerPage(number)} onClick={away}>
                  {name} ({number})
                </Leading>
              </li>
            ))}
          </ul>
        </div>
      )}
      {silent.value ? (
        <p class="call-silent" role="status">
          {t().silent}
        </p>
      ) : null}
      {others.length === 0 ? null : (
        <div class="call-others">
          <p>{t().waiting}</p>
          <ul>
            {others.map((one) => (
              <li key={one.keys[0]}>{nameOf(one)}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="call-actions">
        {customer === undefined ? null : (
          <Leading class="button" to={customerPage(customer.number)} onClick={away}>
            {t().open}
          </Leading>
        )}
        {first?.phone === undefined ? null : (
          <button type="button" class="danger" onClick={take(hangUp)}>
            {t().reject}
          </button>
        )}
        <button ref={stop} type="button" class={first?.phone === undefined ? "primary" : ""} onClick={away}>
          {t().stop}
        </button>
        {first?.phone === undefined ? null : (
          <button type="button" class="primary call-answer" onClick={take(answer)}>
            {t().answer}
          </button>
        )}
      </div>
    </dialog>
  )
}

const numberOf = ({ notice, phone }: Ringing): string => notice?.caller_id ?? phone?.number ?? ""

/** The customer's name, else the name that the caller's phone sent, else the number. */
const nameOf = (one: Ringing): string => one.notice?.customer?.name ?? one.phone?.name ?? shown(numberOf(one))

const Caller = ({ of }: { readonly of: Ringing }) => {
  const { notice } = of
  const customer = notice?.customer ?? null
  const name = nameOf(of)
  return (
    <div id="call-who">
      <p class="call-who">{name}</p>
      {notice === undefined ? null : (
        <p>
          {customer === null ? <Badge tone="quiet">{t().unknown}</Badge> : <Badge tone="success">{t().known}</Badge>}
        </p>
      )}
      <dl class="facts">
        {customer === null ? null : (
          <>
            <dt>{t().number}</dt>
            <dd>{customer.number}</dd>
          </>
        )}
        {name === shown(numberOf(of)) ? null : (
          <>
            <dt>{t().caller}</dt>
            <dd>{shown(numberOf(of))}</dd>
          </>
        )}
        {notice === undefined ? null : (
          <>
            <dt>{t().dialled}</dt>
            <dd>{notice.did_number}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
