import type { Answer } from "../../lib/Endpoints.ts"
import { bothMoments, duration, shortMoment } from "../../lib/Format.ts"
import { may, me } from "../../lib/Me.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { customerHref } from "../telephony/kinds/Customers.tsx"
import { callWords as t } from "./CallWords.ts"

type Call = Answer<"GET /api/v1/sip/calls">["items"][number]

/** Colour and state of a call. */
const stands = (call: Call): readonly [Tone, "ringing" | "answered" | "taken" | "missed" | "unanswered"] => {
  if (call.state === "ringing") return ["warning", "ringing"]
  if (call.state === "answered") return ["success", "answered"]
  if (call.answered_at !== null) return ["quiet", "taken"]
  return call.direction === "inbound" ? ["error", "missed"] : ["quiet", "unanswered"]
}

/** Table of calls with caller, called number and outcome. */
export const CallTable = ({ calls }: { readonly calls: ReadonlyArray<Call> }) => (
  <div class="scroll" role="region" aria-label={t().calls} tabIndex={0}>
    <table>
      <caption class="sr">{t().calls}</caption>
      <thead>
        <tr>
          <th scope="col">{t().when}</th>
          <th scope="col">{t().direction}</th>
          <th scope="col">{t().from}</th>
          <th scope="col">{t().to}</th>
          <th scope="col">{t().by}</th>
          <th scope="col">{t().state}</th>
          <th scope="col">{t().duration}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => {
          const [tone, word] = stands(call)
          return (
            <tr key={call.id}>
              <td>
                <time dateTime={call.started_at} title={bothMoments(call.started_at)}>
                  {shortMoment(call.started_at)}
                </time>
              </td>
              <td>{t()[call.direction]}</td>
              <td>
                <Caller of={call} />
              </td>
              <td>{call.did_number ?? call.destination ?? "–"}</td>
              <td>{call.extension ?? "–"}</td>
              <td>
                <Badge tone={tone}>{t()[word]}</Badge>
                {call.state === "ended" && call.answered_at === null && call.cause !== null ? (
                  <small class="block">{call.cause}</small>
                ) : null}
              </td>
              <td>{call.duration === null || call.answered_at === null ? "–" : duration(call.duration * 1000)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)

const Caller = ({ of: { caller_id, customer, tenant_id } }: { readonly of: Call }) => {
  const number = /\d/.test(caller_id) ? caller_id : t().withheld
  if (customer === null) return <>{number}</>
  const own = tenant_id === me.value?.tenant_id
  return (
    <>
      {may("customers.read") ? (
        <a href={customerHref(customer.number, own ? undefined : tenant_id)}>{customer.name}</a>
      ) : (
        customer.name
      )}
      <small class="block">{number}</small>
    </>
  )
}
