import { useSignal } from "@preact/signals"
import type { Answer } from "../../lib/Endpoints.ts"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { Page } from "../../parts/Page.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"
import { undoWords } from "../../lib/UndoWords.ts"
import { extensions } from "../telephony/kinds/Extensions.tsx"
import { remarksOf } from "../telephony/kinds/NumberPlan.ts"
import { List } from "../telephony/List.tsx"
import { edition } from "../telephony/Things.ts"
import { PhoneSettings } from "./PhoneSettings.tsx"
import { SipDomains } from "./SipDomains.tsx"

const t = words({
  en: {
    title: "Phones",
    settings: "Phone settings",
    rotate: "New password",
    sure: "Set a new password",
    loses: "The phone signs out, and works again only with the new password. The old one is lost.",
    rotated: (name: string) => `${name} has a new password; its phone needs it now.`,
    enable: "Enable",
    disable: "Disable",
    of: (what: string, name: string) => `${what}: ${name}`
  },
  de: {
    title: "Telefone",
    settings: "Telefon einrichten",
    rotate: "Neues Passwort",
    sure: "Neues Passwort setzen",
    loses: "Das Telefon wird abgemeldet und geht erst mit dem neuen Passwort wieder. Das alte ist verloren.",
    rotated: (name: string) => `${name} hat ein neues Passwort; das Telefon braucht es jetzt.`,
    enable: "Einschalten",
    disable: "Abschalten",
    of: (what: string, name: string) => `${what}: ${name}`
  }
})

type Extension = Answer<"GET /api/v1/sip/extensions">["items"][number]

/** Extensions, and the settings of their phones. */
export default () => {
  const shown = useSignal<Extension | undefined>(undefined)
  const rotated = useSignal<string | undefined>(undefined)
  const doing = useDoing()
  const turn = (row: Extension, enabled: boolean) =>
    call("PUT /api/v1/sip/extensions/:id", { params: { id: String(row.id) }, payload: { enabled } })
  const change = (row: Extension, reload: () => void) =>
    void doing
      .run(() =>
        undoable(
          () => turn(row, !row.enabled),
          () => undoWords()[row.enabled ? "off" : "on"](extensions.called(row)),
          () => turn(row, row.enabled)
        )
      )
      .then((done) => done && reload())
  const rotate = (row: Extension) => {
    rotated.value = undefined
    void doing
      .run(() => call("POST /api/v1/sip/extensions/:id/password", { params: { id: String(row.id) } }))
      .then((done) => done && (rotated.value = extensions.called(row)))
  }
  return (
    <Page title={t().title}>
      <Trouble problem={doing.problem.value} />
      <div role="status">{rotated.value === undefined ? null : <p class="done">{t().rotated(rotated.value)}</p>}</div>
      <SipDomains edition={edition.value} />
      <List
        of={extensions}
        remarks={remarksOf}
        actions={(row) =>
          may("sip.credentials.read") ? (
            <button
              type="button"
              class="small"
              aria-label={t().of(t().settings, extensions.called(row))}
              onClick={() => (shown.value = row)}
            >
              {t().settings}
            </button>
          ) : null
        }
        menu={(row, reload) =>
          may("sip.manage")
            ? [
                {
                  text: row.enabled ? t().disable : t().enable,
                  disabled: doing.busy.value,
                  act: () => change(row, reload)
                },
                {
                  text: t().rotate,
                  disabled: doing.busy.value,
                  act: () => rotate(row),
                  asks: { loses: t().loses, sure: t().sure }
                }
              ]
            : []
        }
      />
      {shown.value === undefined ? null : (
        <PhoneSettings
          id={shown.value.id}
          name={extensions.called(shown.value)}
          close={() => (shown.value = undefined)}
        />
      )}
    </Page>
  )
}
