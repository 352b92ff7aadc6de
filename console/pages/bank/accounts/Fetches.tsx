import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { calendarDay, number, shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { bankCodeText, bankProblemText, Refused } from "../Refusals.ts"
import { FetchBadge } from "../StatusWords.tsx"
import type { Account, Fetch } from "../Shapes.ts"

const t = words({
  en: {
    title: "Fetches",
    from: "From",
    to: "To",
    hint: "Without days: what the bank has not delivered yet. With days, the bank delivers old statements again.",
    now: "Fetch now",
    none: "Nothing was fetched yet.",
    when: "Time",
    state: "State",
    result: "Result",
    daily: "daily",
    intraday: "during the day",
    manual: "by hand",
    range: (from: string, to: string) => `${from} to ${to}`,
    since: (from: string) => `since ${from}`,
    attempt: (count: number) => `attempt ${count}`,
    next: "next attempt",
    progress: (order: string) => `Progress of ${order}`,
    files: (fresh: number, all: number) =>
      all === fresh ? `${number(all)} new` : `${number(fresh)} new of ${number(all)}`,
    waiting: "waiting",
    downloading: "is being transferred",
    storing: "is being stored",
    confirming: "is being confirmed",
    done: "done",
    empty: "nothing new",
    not_permitted: "not permitted by the bank",
    failed: "failed"
  },
  de: {
    title: "Abrufe",
    from: "Von",
    to: "Bis",
    hint: "Ohne Tage: was die Bank noch nicht geliefert hat. Mit Tagen liefert die Bank alte Auszüge noch einmal.",
    now: "Jetzt abrufen",
    none: "Noch nichts wurde abgerufen.",
    when: "Zeit",
    state: "Zustand",
    result: "Ergebnis",
    daily: "täglich",
    intraday: "während des Tages",
    manual: "von Hand",
    range: (from: string, to: string) => `${from} bis ${to}`,
    since: (from: string) => `seit ${from}`,
    attempt: (count: number) => `Versuch ${count}`,
    next: "nächster Versuch",
    progress: (order: string) => `Fortschritt von ${order}`,
    files: (fresh: number, all: number) =>
      all === fresh ? `${number(all)} neu` : `${number(fresh)} neu von ${number(all)}`,
    waiting: "wartet",
    downloading: "wird übertragen",
    storing: "wird gespeichert",
    confirming: "wird quittiert",
    done: "fertig",
    empty: "nichts Neues",
    not_permitted: "von der Bank nicht erlaubt",
    failed: "fehlgeschlagen"
  }
})

/** Fetches that the page lists. */
const listed = 10
/** Interval of looks at the list, while a fetch runs and otherwise. Unit: milliseconds. */
const soon = 1_500
const seldom = 30_000

/** Latest fetches of an account with their progress, and the form that begins one. */
export const Fetches = ({ account, ready }: { readonly account: Account; readonly ready: boolean }) => {
  const doing = useDoing()
  const from = useSignal("")
  const to = useSignal("")
  const running = useSignal(false)
  const now = useNow(30_000)
  const fetches = useLoad(
    () =>
      call("GET /api/v1/crm/ebics/fetches", { query: { account_id: account.id, limit: listed } }).then((answer) => {
        running.value = answer.items.some(({ state }) => state === "running" || state === "waiting")
        return answer
      }),
    [account.id, running.value],
    { live: ["bank.*"], every: running.value ? soon : seldom }
  )
  const submit = (event: Event) => {
    event.preventDefault()
    void doing
      .run(() =>
        call("POST /api/v1/crm/ebics/accounts/:uuid/fetch", {
          params: { uuid: account.id },
          payload: {
            ...(from.value === "" ? {} : { from_date: from.value }),
            ...(to.value === "" ? {} : { to_date: to.value })
          }
        })
      )
      .then((done) => done && fetches.reload())
  }
  return (
    <section class="card" aria-labelledby="fetches">
      <h2 id="fetches">{t().title}</h2>
      {may("ebics.fetch") && ready ? (
        <form class="filters bank-fetch" onSubmit={submit}>
          <label>
            {t().from}
            <input
              type="date"
              name="from"
              value={from.value}
              required={to.value !== ""}
              onInput={({ currentTarget }) => (from.value = currentTarget.value)}
            />
          </label>
          <label>
            {t().to}
            <input
              type="date"
              name="to"
              value={to.value}
              min={from.value}
              onInput={({ currentTarget }) => (to.value = currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().now}
          </button>
          <small class="bank-wide">{t().hint}</small>
        </form>
      ) : null}
      <Refused problem={doing.problem.value} />
      <Loading of={fetches}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{t().none}</p>
          ) : (
            <ul class="rows" aria-labelledby="fetches">
              {items.map((one) => (
                <li key={one.id}>
                  <Line fetch={one} now={now} />
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}

const Line = ({ fetch, now }: { readonly fetch: Fetch; readonly now: number }) => (
  <>
    <div class="bank-line">
      <FetchBadge of={fetch.state} /> <When at={fetch.finished_at ?? fetch.created_at} now={now} />{" "}
      <span class="soft">
        {t()[fetch.reason]}
        {fetch.from_date === null
          ? ""
          : `, ${
              fetch.to_date === null
                ? t().since(calendarDay(fetch.from_date))
                : t().range(calendarDay(fetch.from_date), calendarDay(fetch.to_date))
            }`}
        {fetch.attempts > 1 ? `, ${t().attempt(fetch.attempts)}` : ""}
        {fetch.retry_at === null ? "" : `, ${t().next} ${shortMoment(fetch.retry_at)}`}
      </span>
    </div>
    {fetch.problem === null ? null : <p class="field-error">{bankProblemText(fetch.problem)}</p>}
    {fetch.orders.length === 0 ? null : (
      <ul class="bank-orders">
        {fetch.orders.map((order) => (
          <li key={order.order_type}>
            <code>{order.order_type}</code>{" "}
            {order.state === "downloading" && order.segments !== null ? (
              <progress
                aria-label={t().progress(order.order_type)}
                value={order.segments_received}
                max={Math.max(1, order.segments)}
              />
            ) : null}{" "}
            {order.state === "done" ? t().files(order.new_files, order.files) : t()[order.state]}
            {order.problem === null ? "" : `: ${bankCodeText(order.code, order.problem)}`}
          </li>
        ))}
      </ul>
    )}
  </>
)
