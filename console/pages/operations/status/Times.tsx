import type { Answer } from "../../../lib/Endpoints.ts"
import { duration } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Sparkline } from "../../../parts/Sparkline.tsx"

const t = words({
  en: {
    none: "no answer yet",
    said: (mean: string, most: string) => `${mean} on average, at most ${most}`,
    of: (name: string, said: string) => `${name}, response time of the last 24 hours: ${said}`
  },
  de: {
    none: "noch keine Antwort",
    said: (mean: string, most: string) => `im Mittel ${mean}, höchstens ${most}`,
    of: (name: string, said: string) => `${name}, Antwortzeit der letzten 24 Stunden: ${said}`
  }
})

export type ResponseTimes = Answer<"GET /api/v1/response-times">["components"][number]

/** Length of a point. Unit: milliseconds. Source: `responseStep` of status-checker. */
const step = 900_000

/** Points of a day. */
const points = 96

/** Response times of a component: the means as a line, and the figures as text. */
export const Times = ({ name, of }: { readonly of: ResponseTimes | undefined; readonly name: string }) => {
  if (of === undefined || of.mean_ms === null || of.most_ms === null) return <span class="soft">{t().none}</span>
  const said = t().said(duration(of.mean_ms), duration(of.most_ms))
  const first = Math.floor(Date.now() / step) - points + 1
  return (
    <>
      <Sparkline
        label={t().of(name, said)}
        count={points}
        top={of.most_ms}
        values={of.times.map(({ at, mean_ms }) => ({ at: Math.floor(Date.parse(at) / step) - first, value: mean_ms }))}
      />
      <small>{said}</small>
    </>
  )
}
