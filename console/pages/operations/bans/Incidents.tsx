import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { useFilterable } from "../../../parts/Filterable.ts"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { When } from "../../../parts/When.tsx"
import { banWords, type Incident, kinds, ruleText } from "./Words.ts"

const t = words({
  en: {
    title: "What happened",
    kind: "Kind",
    none: "Nothing in the last 90 days.",
    noneSo: "Nothing of this kind.",
    until: (when: string) => `until ${when}`,
    events: (count: number) => (count === 1 ? "1 log line" : `${count} log lines`)
  },
  de: {
    title: "Was geschehen ist",
    kind: "Art",
    none: "Nichts in den letzten 90 Tagen.",
    noneSo: "Nichts von dieser Art.",
    until: (when: string) => `bis ${when}`,
    events: (count: number) => (count === 1 ? "1 Logzeile" : `${count} Logzeilen`)
  }
})

const tones: Readonly<Record<Incident["kind"], Tone>> = {
  ban: "error",
  offence: "warning",
  lift: "success",
  exemption: "info",
  exemption_end: "quiet"
}

/** Entries per page. */
const pageSize = 20

/** Offences, bans, lifts and exemptions, newest first. */
export const Incidents = ({ turn }: { readonly turn: number }) => {
  const kind = useSignal("")
  const trail = useTrail([kind.value])
  const before = trail.value.at(-1)
  const now = useNow(20_000)
  const list = useLoad(
    () =>
      call("GET /api/v1/security/alerts", {
        query: { limit: pageSize, before, kind: kind.value === "" ? undefined : (kind.value as Incident["kind"]) }
      }),
    [kind.value, before, turn],
    { live: ["security.ban.*"], every: 60_000 }
  )
  const filterable = useFilterable(list, kind.value !== "" || before !== undefined)
  return (
    <section class="card" aria-labelledby="incidents">
      <div class="card-head">
        <h2 id="incidents">{t().title}</h2>
        {filterable ? (
          <FilterSelect
            name="kind"
            label={t().kind}
            value={kind.value}
            set={(value) => (kind.value = value)}
            options={kinds.map((one) => [one, banWords()[one]] as const)}
          />
        ) : null}
      </div>
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{kind.value === "" ? t().none : t().noneSo}</p>
            ) : (
              <ul class="rows" aria-labelledby="incidents">
                {items.map((one) => (
                  <li key={one.id}>
                    <div class="ops-line">
                      <Badge tone={tones[one.kind]}>{banWords()[one.kind]}</Badge>
                      <code>{one.address}</code>
                      <span>{ruleText(one.rule)}</span>
                      <When at={one.at} now={now} />
                      <span class="soft">
                        {[
                          one.source === "crowdsec" ? banWords().crowdsec : "",
                          one.until === null ? "" : t().until(shortMoment(one.until)),
                          one.events === null ? "" : t().events(one.events),
                          one.country ?? "",
                          one.network ?? "",
                          one.reason ?? ""
                        ]
                          .filter((text) => text !== "")
                          .join(" · ")}
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}
