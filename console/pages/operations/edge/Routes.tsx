import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { type RowAction, RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { Refused, told } from "../Refusals.ts"
import { edgeWords, type EdgeRoute, roleOptions } from "./Words.ts"

const t = words({
  en: {
    title: "Protected routes",
    add: "Protect a host",
    none: "No routes yet",
    about:
      "A route names a host and a path. Once the proxy asks edge-auth about it, only signed-in users of edge-auth reach " +
      "it.",
    needs: "Who has access",
    description: "Note",
    hostHint: "Such as app.example.org",
    pathHint: "The beginning of the path; / is the whole host.",
    turnOn: "Turn on",
    turnOff: "Turn off",
    openThis: (route: string) => `Turn ${route} off`,
    opens: "Within a second anybody can reach this path without signing in. The route stays in the list.",
    removeThis: (route: string) => `Delete ${route}`,
    loses: "Within a second anybody can reach this path without signing in. The route and its note are deleted."
  },
  de: {
    title: "Geschützte Routen",
    add: "Host schützen",
    none: "Noch keine Routen",
    about:
      "Eine Route nennt einen Host und einen Pfad. Nur angemeldete Benutzer von edge-auth erreichen sie, sobald der " +
      "Proxy danach fragt.",
    needs: "Wer Zugriff hat",
    description: "Notiz",
    hostHint: "Etwa app.example.org",
    pathHint: "Der Anfang des Pfads; / ist der ganze Host.",
    turnOn: "Einschalten",
    turnOff: "Ausschalten",
    openThis: (route: string) => `${route} ausschalten`,
    opens: "Binnen einer Sekunde kann jeder diesen Pfad ohne Anmeldung erreichen. Die Route bleibt in der Liste.",
    removeThis: (route: string) => `${route} löschen`,
    loses: "Binnen einer Sekunde kann jeder diesen Pfad ohne Anmeldung erreichen. Route und Notiz werden gelöscht."
  }
})

const fields: ReadonlyArray<Field> = [
  { name: "host", label: () => edgeWords().host, hint: () => t().hostHint, input: { kind: "text" }, required: true },
  {
    name: "path",
    label: () => edgeWords().path,
    hint: () => t().pathHint,
    input: { kind: "text" },
    required: true,
    initial: "/"
  },
  { name: "role", label: () => t().needs, input: { kind: "choice", options: roleOptions } },
  { name: "description", label: () => t().description, input: { kind: "text" } }
]

interface Asked {
  readonly route: EdgeRoute
  readonly what: "off" | "remove"
}

/** Routes that need a sign-in at edge-auth. */
export const Routes = ({ changed }: { readonly changed: () => void }) => {
  const list = useLoad(() => call("GET /api/v1/edge/routes"))
  const adding = useSignal(false)
  const asked = useSignal<Asked | undefined>(undefined)
  const doing = useDoing()
  const manages = may("security.manage")
  const done = () => {
    adding.value = false
    list.reload()
    changed()
  }
  const turn = (id: number, enabled: boolean) =>
    call("PATCH /api/v1/edge/routes/:id", { params: { id }, payload: { enabled } })
  const turnOn = (route: EdgeRoute) =>
    void doing
      .run(() =>
        undoable(
          () => turn(route.id, true),
          () => undoWords().on(nameOf(route)),
          () => turn(route.id, false)
        )
      )
      .then((well) => well && done())
  const actionsOf = (route: EdgeRoute): ReadonlyArray<RowAction> => [
    route.enabled
      ? { text: t().turnOff, act: () => (asked.value = { route, what: "off" }) }
      : { text: t().turnOn, act: () => turnOn(route) },
    { text: edgeWords().delete, danger: true, act: () => (asked.value = { route, what: "remove" }) }
  ]
  const add = (
    <button type="button" onClick={() => (adding.value = true)}>
      {t().add}
    </button>
  )
  return (
    <section class="card" aria-labelledby="edge-routes">
      <div class="card-head">
        <h2 id="edge-routes">{t().title}</h2>
        {manages && !adding.value && (list.value.value?.items.length ?? 0) > 0 ? add : null}
      </div>
      <Refused problem={doing.problem.value} />
      {asked.value === undefined ? null : (
        <Question
          asked={asked.value}
          work={({ route, what }) =>
            (what === "off"
              ? turn(route.id, false)
              : call("DELETE /api/v1/edge/routes/:id", { params: { id: route.id } })
            ).then(done)
          }
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
          send={(payload) => call("POST /api/v1/edge/routes", { payload: payload as never }).then(done)}
        />
      ) : null}
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            adding.value ? null : (
              <Empty title={t().none} text={t().about}>
                {manages ? add : undefined}
              </Empty>
            )
          ) : (
            <RowTable
              labelledBy="edge-routes"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { title: edgeWords().host, show: nameOf },
                { title: t().needs, show: ({ role }) => edgeWords()[role] },
                {
                  title: edgeWords().state,
                  show: ({ enabled }) => (
                    <Badge tone={enabled ? "success" : "error"}>{enabled ? edgeWords().on : edgeWords().off}</Badge>
                  )
                },
                { title: t().description, show: ({ description }) => description }
              ]}
              actions={manages ? (route) => <RowMenu of={nameOf(route)} actions={actionsOf(route)} /> : undefined}
            />
          )
        }
      </Loading>
    </section>
  )
}

const nameOf = ({ host, path }: EdgeRoute): string => `${host}${path === "/" ? "" : path}`

const Question = ({
  asked,
  close,
  work
}: {
  readonly asked: Asked
  readonly work: (asked: Asked) => Promise<unknown>
  readonly close: () => void
}) => (
  <ConfirmDialog
    title={asked.what === "off" ? t().openThis(nameOf(asked.route)) : t().removeThis(nameOf(asked.route))}
    action={asked.what === "off" ? t().turnOff : edgeWords().delete}
    told={told}
    work={() => work(asked)}
    close={close}
  >
    <p>{asked.what === "off" ? t().opens : t().loses}</p>
  </ConfirmDialog>
)
