import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { textIn, words } from "../../../lib/Language.ts"
import type { Problem } from "../../../lib/Problem.ts"
import { Trouble } from "../../../parts/Trouble.tsx"
import { useDoing } from "../../../lib/Doing.ts"

/** Groups with a test. Source: daemons/identity/platform-settings/tests/Tested.ts. */
const tested = ["messenger", "switch", "speech", "relay", "resolvers"] as const
type Tested = (typeof tested)[number]

export const isTested = (group: string): group is Tested => (tested as ReadonlyArray<string>).includes(group)

const t = words({
  en: {
    test: "Test",
    help: "Tries the values above for real, whether they are stored or not.",
    to: {
      messenger: "Chat that gets a message (optional)",
      relay: "Recipient of a mail (optional)",
      resolvers: "Name to look up (optional)"
    },
    wrong: "The target or a value above is not valid.",
    works: "Works",
    fails: "Does not work",
    took: (ms: number) => `${ms} ms`
  },
  de: {
    test: "Testen",
    help: "Probiert die Werte oben wirklich aus, auch wenn sie noch nicht gespeichert sind.",
    to: {
      messenger: "Chat, der eine Nachricht bekommt (optional)",
      relay: "Empfänger einer Mail (optional)",
      resolvers: "Name, nach dem gefragt wird (optional)"
    },
    wrong: "Das Ziel oder ein Wert oben ist nicht gültig.",
    works: "Funktioniert",
    fails: "Funktioniert nicht",
    took: (ms: number) => `${ms} ms`
  }
})

/** What the server found wrong, by field. */
const wrongFields = ({ fields }: Problem): string =>
  ((fields["errors"] ?? []) as ReadonlyArray<{ readonly field: string; readonly message: string }>)
    .map(({ field, message }) => `${field.split(".").at(-1)} ${message}`)
    .join("; ")

type Results = Answer<"POST /api/v1/settings/platform/tests/:group">["items"]

/** Button that tries the settings of a group, and what it found. `values`: typed texts that are not stored yet. */
export const GroupTest = ({
  group,
  values
}: {
  readonly group: Tested
  readonly values: () => Readonly<Record<string, string | null>>
}) => {
  const to = useSignal("")
  const found = useSignal<Results>([])
  const doing = useDoing()
  const label = group === "switch" || group === "speech" ? undefined : t().to[group]
  const tryIt = async () => {
    found.value = []
    await doing.run(async () => {
      const target = to.value.trim()
      const payload = { values: values(), ...(target === "" ? {} : { to: target }) }
      found.value = (await call("POST /api/v1/settings/platform/tests/:group", { params: { group }, payload })).items
    })
  }
  return (
    <form
      class="stack setting-test"
      onSubmit={(event) => {
        event.preventDefault()
        void tryIt()
      }}
    >
      {label === undefined ? null : (
        <label>
          {label}
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={to.value}
            onInput={(event) => void (to.value = event.currentTarget.value)}
          />
        </label>
      )}
      <p class="choices">
        <button type="submit" disabled={doing.busy.value} aria-describedby={`test-${group}`}>
          {t().test}
        </button>
        <small class="soft" id={`test-${group}`}>
          {t().help}
        </small>
      </p>
      <ul class="setting-results" aria-live="polite">
        {found.value.map(({ detail, ok, subject, text, took_ms }) => (
          <li key={subject}>
            <b class={ok ? "done" : "trouble"}>{ok ? t().works : t().fails}:</b> <code>{subject}</code> {textIn(text)}
            {detail === null ? null : (
              <>
                {" "}
                <span lang="en">{detail}</span>
              </>
            )}{" "}
            <span class="soft">{t().took(took_ms)}</span>
          </li>
        ))}
      </ul>
      {doing.problem.value?.code === "invalid_request" ? (
        <p class="trouble" role="alert">
          {t().wrong} <span lang="en">{wrongFields(doing.problem.value)}</span>
        </p>
      ) : (
        <Trouble problem={doing.problem.value} />
      )}
    </form>
  )
}
