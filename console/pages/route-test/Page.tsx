import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { language, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { useFilters } from "../../parts/Address.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Page } from "../../parts/Page.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { Waiting } from "../../parts/Loading.tsx"
import "./route-test.css"

const t = words({
  en: {
    title: "Where does a call go?",
    intro: "Shows what the telephone switch would do with this call now. No phone rings.",
    from: "Who calls",
    fromHint: "An extension, or a number from outside",
    to: "Who is called",
    toHint: "What is dialled",
    show: "Show the route",
    phone: "A call of a phone",
    outside: "A call from outside",
    steps: "Step by step",
    Extension: "rings a phone",
    RingGroup: "rings a group",
    Menu: "goes to a menu",
    Leave: "goes to a voicemail box",
    Check: "hears a voicemail box",
    Outside: "goes outside",
    Refused: (status: number | null) => `is refused (${status})`,
    context: "Origin",
    filter: "Filter",
    number: "Number",
    destination: "Destination",
    line: "Line",
    result: "Result"
  },
  de: {
    title: "Wohin geht ein Anruf?",
    intro: "Zeigt, was die Telefonanlage mit diesem Anruf jetzt täte. Kein Telefon klingelt.",
    from: "Wer anruft",
    fromHint: "Eine Nebenstelle oder eine Nummer von außen",
    to: "Wer angerufen wird",
    toHint: "Was gewählt wird",
    show: "Weg zeigen",
    phone: "Anruf eines Telefons",
    outside: "Anruf von außen",
    steps: "Schritt für Schritt",
    Extension: "klingelt an einem Telefon",
    RingGroup: "klingelt bei einer Gruppe",
    Menu: "geht an ein Menü",
    Leave: "geht an einen Anrufbeantworter",
    Check: "hört einen Anrufbeantworter ab",
    Outside: "geht nach außen",
    Refused: (status: number | null) => `wird abgelehnt (${status})`,
    context: "Herkunft",
    filter: "Filter",
    number: "Nummer",
    destination: "Ziel",
    line: "Leitung",
    result: "Ergebnis"
  }
})

type Result = Answer<"POST /api/v1/sip/route-test">

/**
 * Shows what happens when one number calls another, filter by filter. The URL holds both numbers, so that it can be
 * shared.
 */
export default () => {
  const filters = useFilters<string>({ from: "", to: "" })
  const { from = "", to = "" } = filters.value
  const typed = useSignal({ from, to })
  const lang = language.value
  const question = from === "" || to === "" ? undefined : JSON.stringify([from, to, lang])
  const way = useLoad(
    async () =>
      question === undefined
        ? undefined
        : { question, answer: await call("POST /api/v1/sip/route-test", { payload: { from, to }, query: { lang } }) },
    [question]
  )
  // An answer for other numbers or another language is not shown.
  const found = way.value.value?.question === question ? way.value.value?.answer : undefined
  const submit = (event: Event) => {
    event.preventDefault()
    const asked = { from: typed.value.from.trim(), to: typed.value.to.trim() }
    if (asked.from === from && asked.to === to) return way.reload()
    filters.set("from", asked.from)
    filters.set("to", asked.to)
  }
  return (
    <Page title={t().title}>
      <p>{t().intro}</p>
      <form class="filters" onSubmit={submit}>
        <label>
          {t().from}
          <input
            name="from"
            required
            maxLength={300}
            value={typed.value.from}
            placeholder="1001"
            aria-describedby="from-hint"
            onInput={({ currentTarget }) => (typed.value = { ...typed.value, from: currentTarget.value })}
          />
          <small id="from-hint">{t().fromHint}</small>
        </label>
        <label>
          {t().to}
          <input
            name="to"
            required
            maxLength={300}
            value={typed.value.to}
            placeholder="030 1234567"
            aria-describedby="to-hint"
            onInput={({ currentTarget }) => (typed.value = { ...typed.value, to: currentTarget.value })}
          />
          <small id="to-hint">{t().toHint}</small>
        </label>
        <button type="submit" class="primary">
          {t().show}
        </button>
      </form>
      <Trouble problem={way.problem.value} again={way.reload} />
      {question !== undefined && found === undefined && way.problem.value === undefined ? <Waiting /> : null}
      <div role="status">{found === undefined ? null : <Way of={found} />}</div>
    </Page>
  )
}

const tones: Readonly<Record<Result["outcome"], Tone>> = {
  Extension: "success",
  RingGroup: "success",
  Menu: "success",
  Leave: "info",
  Check: "info",
  Outside: "success",
  Refused: "error"
}

const Way = ({ of: { origin, outcome, status, steps } }: { readonly of: Result }) => (
  <section class="card" aria-labelledby="way">
    <h2 id="way" class="way-head">
      {t()[origin]} <Badge tone={tones[outcome]}>{outcome === "Refused" ? t().Refused(status) : t()[outcome]}</Badge>
    </h2>
    <h3 class="sr">{t().steps}</h3>
    <ol class="way">
      {steps.map(({ kind, text }, index) => (
        <li key={index} class={kind}>
          <span class="way-kind">{t()[kind]}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  </section>
)
