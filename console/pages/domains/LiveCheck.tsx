import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { moment } from "../../lib/Format.ts"
import { language, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Severity } from "../../parts/Severity.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Evidence } from "./Evidence.tsx"
import { told } from "./Refusals.ts"
import type { Finding, Observation } from "./Shapes.ts"

const t = words({
  en: {
    title: "What is in DNS",
    now: "Check now",
    looking: "Name servers and resolvers are being asked …",
    never: "Not checked yet.",
    at: (when: string) => `Checked at ${when}.`,
    here: "The domain points here.",
    elsewhere: "The domain does not point here yet.",
    evidence: "Details by server"
  },
  de: {
    title: "Was im DNS steht",
    now: "Jetzt prüfen",
    looking: "Nameserver und Resolver werden gefragt …",
    never: "Noch nicht geprüft.",
    at: (when: string) => `Geprüft am ${when}.`,
    here: "Die Domain zeigt hierher.",
    elsewhere: "Die Domain zeigt noch nicht hierher.",
    evidence: "Einzelheiten je Server"
  }
})

interface Looked {
  readonly findings: ReadonlyArray<Finding>
  readonly observation: Observation | null
  readonly verified?: boolean
  /** Language of its texts. */
  readonly spoken?: string
}

/** Result of the last check as text with the evidence, and a button to check now. */
export const LiveCheck = ({ changed, id }: { readonly id: number; readonly changed: () => void }) => {
  const doing = useDoing()
  const fresh = useSignal<Looked | undefined>(undefined)
  const check = useLoad(
    () => call("GET /api/v1/domains/:id/check", { params: { id }, query: { lang: language.value } }),
    [id, language.value],
    { live: ["domain.*", "dns.*"] }
  )
  const look = () =>
    void doing
      .run(async () => {
        const spoken = language.value
        fresh.value = {
          ...(await call("POST /api/v1/domains/:id/verify", { params: { id }, query: { lang: spoken } })),
          spoken
        }
      })
      .then((done) => {
        if (!done) return
        check.reload()
        changed()
      })
  return (
    <section class="card" aria-labelledby="live-check">
      <div class="card-head">
        <h2 id="live-check">{t().title}</h2>
        {may("domains.manage") ? (
          <button type="button" class="primary" disabled={doing.busy.value} onClick={look}>
            {doing.busy.value ? t().looking : t().now}
          </button>
        ) : null}
      </div>
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      <div role="status">
        {fresh.value?.verified === undefined ? null : (
          <p class={fresh.value.verified ? "done" : ""}>{fresh.value.verified ? t().here : t().elsewhere}</p>
        )}
      </div>
      <Loading of={check}>
        {(last) => <Seen of={fresh.value?.spoken === language.value ? fresh.value : last} />}
      </Loading>
    </section>
  )
}

const Seen = ({ of: { findings, observation } }: { readonly of: Looked }) => (
  <>
    {observation === null && findings.length === 0 ? (
      <p class="empty">{t().never}</p>
    ) : (
      <ul class="rows findings">
        {findings.map((finding, at) => (
          <li key={at}>
            <Severity of={finding.severity} />{" "}
            <span>
              {finding.record === null ? null : (
                <code>
                  {finding.record.type} {finding.record.name}
                </code>
              )}{" "}
              {finding.text}
            </span>
          </li>
        ))}
      </ul>
    )}
    {observation === null ? null : (
      <details>
        <summary>{t().evidence}</summary>
        <p class="soft">{t().at(moment(observation.at))}</p>
        <Evidence of={observation} />
      </details>
    )}
  </>
)
