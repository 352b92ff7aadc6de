import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { ShownOnce } from "../../../parts/ShownOnce.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { offerUndo } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { Refused, told } from "../Refusals.ts"
import { Question, type Asked } from "./UserQuestion.tsx"
import { UserRows } from "./UserRows.tsx"
import { edgeWords, type EdgeUser, roleOptions } from "./Words.ts"

const t = words({
  en: {
    title: "Users of edge-auth",
    intro: "They sign in on the edge-auth page and are separate from the users of this console.",
    add: "Add a user",
    none: "No users yet",
    about:
      "Users of edge-auth reach the protected hosts. They register on its page and wait here for approval, or you " +
      "add them.",
    name: "Name",
    email: "E-mail address",
    search: "Name or address",
    noneSo: "No user matches.",
    passwordOf: (name: string) => `Password of ${name}`,
    password: "Password",
    once: "Copy it now and pass it on in a safe way: it is shown only once."
  },
  de: {
    title: "Benutzer von edge-auth",
    intro: "Sie melden sich auf der Seite von edge-auth an und sind nicht die Benutzer dieser Konsole.",
    add: "Benutzer anlegen",
    none: "Noch keine Benutzer",
    about:
      "Benutzer von edge-auth erreichen die geschützten Hosts. Sie registrieren sich auf dessen Seite und warten " +
      "hier auf Freigabe, oder Sie legen sie an.",
    name: "Name",
    email: "E-Mail-Adresse",
    search: "Name oder Adresse",
    noneSo: "Kein Benutzer passt dazu.",
    passwordOf: (name: string) => `Passwort von ${name}`,
    password: "Passwort",
    once: "Kopieren Sie es jetzt und geben Sie es auf sicherem Weg weiter: Es wird nur einmal gezeigt."
  }
})

const fields: ReadonlyArray<Field> = [
  { name: "name", label: () => t().name, input: { kind: "text" }, required: true },
  { name: "email", label: () => t().email, input: { kind: "text", type: "email" }, required: true },
  { name: "role", label: () => edgeWords().role, input: { kind: "choice", options: roleOptions } }
]

interface Change {
  readonly status?: "active" | "blocked"
  readonly role?: "user" | "admin"
}

/** The former values of what a change sets. Undefined for an approval: no operation makes a user wait again. */
const formerOf = ({ role, status }: EdgeUser, change: Change): Change | undefined =>
  change.status === undefined ? { role } : status === "pending" ? undefined : { status: "blocked" }

/** Lists users of edge-auth; adds, admits, blocks and deletes them, signs them out, and sets passwords. */
export const Users = () => {
  const q = useSignal("")
  const list = useLoad(() => call("GET /api/v1/edge/users", { query: { q: q.value } }), [q.value])
  const adding = useSignal(false)
  const secret = useSignal<{ readonly name: string; readonly password: string } | undefined>(undefined)
  const asked = useSignal<Asked | undefined>(undefined)
  const doing = useDoing()
  const manages = may("security.manage")
  const change = (user: EdgeUser, payload: Change) =>
    call("PATCH /api/v1/edge/users/:id", { params: { id: user.id }, payload }).then(list.reload)
  const add = (
    <button type="button" onClick={() => (adding.value = true)}>
      {t().add}
    </button>
  )
  const isFiltered = q.value !== ""
  const filterable = useFilterable(list, isFiltered)
  const isEmpty = list.value.value?.items.length === 0 && !isFiltered
  return (
    <section class="card" aria-labelledby="edge-users">
      <div class="card-head">
        <h2 id="edge-users">{t().title}</h2>
        {manages && !adding.value && !isEmpty ? add : null}
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      {secret.value === undefined ? null : (
        <ShownOnce
          title={t().passwordOf(secret.value.name)}
          label={t().password}
          secret={secret.value.password}
          close={() => (secret.value = undefined)}
        >
          <p>{t().once}</p>
        </ShownOnce>
      )}
      {asked.value === undefined ? null : (
        <Question
          asked={asked.value}
          done={(password) => {
            if (password !== undefined) secret.value = { name: asked.value!.user.name, password }
            list.reload()
          }}
          block={(user) => change(user, { status: "blocked" })}
          close={() => (asked.value = undefined)}
        />
      )}
      {adding.value ? (
        <FieldsForm
          title={t().add}
          fields={fields}
          row={undefined}
          told={told}
          shut={() => (adding.value = false)}
          send={async (payload) => {
            const { password, user } = await call("POST /api/v1/edge/users", { payload: payload as never })
            adding.value = false
            secret.value = { name: user.name, password }
            list.reload()
          }}
        />
      ) : null}
      {filterable ? (
        <div class="filters">
          <label>
            {t().search}
            <input
              type="search"
              name="edge-user"
              value={q.value}
              maxLength={100}
              onInput={({ currentTarget }) => (q.value = currentTarget.value)}
            />
          </label>
        </div>
      ) : null}
      <Loading of={list}>
        {({ items }) =>
          items.length > 0 ? (
            <UserRows
              of={items}
              manages={manages}
              ask={(one) => (asked.value = one)}
              change={(user, payload) =>
                void doing.run(async () => {
                  await change(user, payload)
                  const former = formerOf(user, payload)
                  if (former !== undefined)
                    offerUndo({ done: () => undoWords().changed(user.name), undo: () => change(user, former) })
                })
              }
            />
          ) : isFiltered ? (
            <p class="empty">{t().noneSo}</p>
          ) : adding.value ? null : (
            <Empty title={t().none} text={t().about}>
              {manages ? add : undefined}
            </Empty>
          )
        }
      </Loading>
    </section>
  )
}
