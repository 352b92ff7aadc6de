import type { Answer } from "../../lib/Endpoints.ts"
import { call } from "../../lib/Call.ts"
import { bothMoments, shortMoment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { dialled } from "../../softphone/Target.ts"
import { DialButton } from "./DialButton.tsx"

const t = words({
  en: {
    title: "Latest calls",
    none: "No call of this extension yet.",
    to: "outgoing",
    from: "incoming",
    missed: "missed",
    withheld: "Number withheld"
  },
  de: {
    title: "Letzte Anrufe",
    none: "Noch kein Anruf dieser Nebenstelle.",
    to: "ausgehend",
    from: "eingehend",
    missed: "verpasst",
    withheld: "Nummer unterdrückt"
  }
})

/** Number of calls shown. */
const most = 10

type Call = Answer<"GET /api/v1/sip/calls">["items"][number]

/** Latest calls of the extension, each with a button to call back. */
export const Recent = ({ extension }: { readonly extension: string }) => {
  const calls = useLoad(
    () => call("GET /api/v1/sip/calls", { query: { number: extension, limit: most } }),
    [extension],
    { live: ["call.*"] }
  )
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">{t().title}</h2>
      <Loading of={calls}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="rows">
              {items.map((one) => (
                <Row key={one.id} of={one} own={extension} />
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}

const Row = ({ of, own }: { readonly of: Call; readonly own: string }) => {
  const ours = of.caller_id === own
  const other = ours ? (of.destination ?? "") : of.caller_id
  const number = dialled(other)
  const name = of.customer?.name
  return (
    <li class="person">
      <span>
        {name === undefined ? null : (
          <>
            <strong>{name}</strong>{" "}
          </>
        )}
        <small>
          {ours ? t().to : of.answered_at === null && of.state === "ended" ? t().missed : t().from} ·{" "}
          <time dateTime={of.started_at} title={bothMoments(of.started_at)}>
            {shortMoment(of.started_at)}
          </time>
        </small>
      </span>
      <span class="numbers">
        {number === undefined || other === "anonymous" ? (
          <small>{t().withheld}</small>
        ) : (
          <DialButton number={number} name={name} who={name === undefined ? number : `${name}, ${number}`} />
        )}
      </span>
    </li>
  )
}
