import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useDoing } from "../../lib/Doing.ts"
import { words } from "../../lib/Language.ts"
import { Problem } from "../../lib/Problem.ts"
import { told } from "../telephony/Refusals.ts"

const t = words({
  en: {
    title: "Which signature does a recipient get?",
    about: "The most specific rule wins: the address, its domain, the longest *.domain, then the default.",
    to: "Address of the recipient",
    look: "Look",
    gets: (to: string, name: string) => `Mail to ${to} gets “${name}”.`,
    none: (to: string) => `Mail to ${to} gets no signature: no rule matches, and there is no default.`
  },
  de: {
    title: "Welche Signatur bekommt ein Empfänger?",
    about: "Die genaueste Regel gilt: die Adresse, ihre Domain, die längste *.Domain, dann der Standard.",
    to: "Adresse des Empfängers",
    look: "Nachsehen",
    gets: (to: string, name: string) => `Mail an ${to} bekommt „${name}“.`,
    none: (to: string) => `Mail an ${to} bekommt keine Signatur: Keine Regel passt, und es gibt keinen Standard.`
  }
})

/** Form that names the signature for a recipient. */
export const Match = ({ account }: { readonly account: string | undefined }) => {
  const doing = useDoing()
  const typed = useSignal("")
  /** The recipient, and the name of the signature if there is one. */
  const found = useSignal<{ readonly to: string; readonly name: string | undefined } | undefined>(undefined)
  const look = (event: Event) => {
    event.preventDefault()
    const to = typed.value.trim()
    found.value = undefined
    void doing.run(async () => {
      try {
        found.value = { to, name: (await call("GET /api/v1/mail/signatures/match", { query: { account, to } })).name }
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) throw error
        found.value = { to, name: undefined }
      }
    })
  }
  const answer = found.value
  return (
    <section class="card below-list" aria-labelledby="signature-match">
      <h2 id="signature-match">{t().title}</h2>
      <p class="soft">{t().about}</p>
      <form class="filters" onSubmit={look}>
        <label class="wide">
          {t().to}
          <input
            type="email"
            name="to"
            required
            value={typed.value}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={doing.busy.value}>
          {t().look}
        </button>
      </form>
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      <p role="status">
        {answer === undefined ? "" : answer.name === undefined ? t().none(answer.to) : t().gets(answer.to, answer.name)}
      </p>
    </section>
  )
}
